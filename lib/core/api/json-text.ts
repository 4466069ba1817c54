import { isRecord } from "@/lib/core/fields/plain";

/** A value that is JSON already, most often PostgreSQL's. Calls send it on as it is: reading and writing it takes long. */
export class JsonText<Value> {
  constructor(readonly text: string) {}

  value(): Value {
    return JSON.parse(this.text);
  }
}

/** A value whose properties may be there as JSON already. */
export type PartlyJson<Value> = { [Key in keyof Value]: Value[Key] | JsonText<Value[Key]> };

/** A value, or the properties of an object, as JSON. */
export function toJson(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  if (!isRecord(value) || !Object.values(value).some((part) => part instanceof JsonText))
    return JSON.stringify(value);
  const parts = Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}:${toJson(part)}`);
  return `{${parts.join(",")}}`;
}
