import "server-only";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  mockAdapter,
  mockMigrationAwareAdapterFactory,
} from "@prisma/driver-adapter-utils";

const ENGINE = "@prisma/schema-engine-wasm/schema_engine_bg";

/** Prisma's schema engine as WebAssembly, which needs neither a downloaded binary nor a network. */
async function loadEngine() {
  const js = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const bytes = await readFile(
    createRequire(import.meta.url)
      .resolve(ENGINE)
      .replace(/\.js$/, ".wasm"),
  );
  // The package's own entry imports the .wasm as an ES module, which Node supports only with a flag.
  const bindings = js as unknown as WebAssembly.ModuleImports & { __wbg_set_wasm(exports: unknown): void };
  const { instance } = await WebAssembly.instantiate(bytes, { "./schema_engine_bg.js": bindings });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return js.SchemaEngine;
}

/**
 * The engine queries a database on its creation, although the comparison of two files needs none. This adapter
 * responds.
 */
function greetingOnly() {
  const adapter = {
    ...mockAdapter("postgres"),
    queryRaw: async () => ({
      columnNames: ["exists", "version", "numeric_version"],
      columnTypes: [ColumnTypeEnum.Boolean, ColumnTypeEnum.Text, ColumnTypeEnum.Int32],
      rows: [[true, "PostgreSQL 18.0", 180000]],
    }),
  };
  return bindMigrationAwareSqlAdapterFactory({
    ...mockMigrationAwareAdapterFactory("postgres"),
    connect: async () => adapter,
  });
}

/** Returns the SQL that changes one Prisma schema into another. */
export async function schemaDiff(from: string, to: string): Promise<string> {
  const SchemaEngine = await loadEngine();
  const engine = await SchemaEngine.new({ datamodels: undefined }, () => {}, greetingOnly());
  const target = (content: string) => ({
    tag: "schemaDatamodel" as const,
    files: [{ path: "schema.prisma", content }],
  });
  const { stdout } = await engine.diff({
    from: target(from),
    to: target(to),
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  return stdout ?? "";
}
