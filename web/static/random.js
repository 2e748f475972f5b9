/** Random bytes as hexadecimal digits. @param {number} bytes */
export function randomName(bytes) {
  const drawn = crypto.getRandomValues(new Uint8Array(bytes));
  return [...drawn].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
