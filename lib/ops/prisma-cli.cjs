// Loaded before Prisma's CLI, which loads its dev server and Studio at once although `generate` needs neither. They are
// replaced in package.json (overrides), because they bring 130 MB.
const Module = require("node:module");

const load = Module._load;
Module._load = (request, ...rest) =>
  /^@prisma\/(dev|studio-core)(\/|$)/.test(request) ? {} : load(request, ...rest);
