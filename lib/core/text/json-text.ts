import { isRecord } from "@/lib/core/objects";

/**
 * A value that already is JSON, usually from PostgreSQL. Endpoints send it unchanged, because parsing and writing it
 * takes long.
 */
export class JsonText<Value> {
  constructor(readonly text: string) {}

  value(): Value {
    return JSON.parse(this.text);
  }
}

/** A value whose properties may already be JSON. */
export type PartlyJson<Value> = { [Key in keyof Value]: Value[Key] | JsonText<Value[Key]> };

/** Returns a value as JSON; properties that already are JSON stay as they are. */
export function toJson(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  if (!isRecord(value) || !Object.values(value).some((part) => part instanceof JsonText))
    return JSON.stringify(value);
  const parts = Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}:${toJson(part)}`);
  return `{${parts.join(",")}}`;
}
