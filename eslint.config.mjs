// How the scripts of the pages are checked; `./test` fetches eslint into build/javascript.

import js from "./build/javascript/node_modules/@eslint/js/src/index.js";

export default [
  js.configs.recommended,
  {
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }], // `== null` is for both null and undefined
      "max-len": ["error", { code: 120 }],
      "no-implicit-globals": "error",
      "no-undef": "off", // the type checker knows what a browser has
      // What Chromium 88 lacks of a browser's own; tsconfig.json knows what it lacks of the language.
      "no-restricted-globals": ["error", "structuredClone"],
      "no-restricted-properties": ["error", { object: "AbortSignal", property: "timeout" }],
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "prefer-const": "error",
    },
  },
];
