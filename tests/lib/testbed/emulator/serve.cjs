// The emulator, over TLS as its clients insist on, and beside it what tells that it listens.
// It is called with the folder of its package, the emulator's port, and the other one.
const http = require("node:http");
const path = require("node:path");

const [folder, port, other] = process.argv.slice(2);
const { createHttpsServer } = require(path.join(folder, "node_modules", "@vercel/cosmosdb-server"));

createHttpsServer().listen(Number(port), "127.0.0.1", () => {
  http.createServer((_, answer) => answer.end("listening")).listen(Number(other), "127.0.0.1");
});
