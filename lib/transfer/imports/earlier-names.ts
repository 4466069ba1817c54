import "server-only";
import { alikeKeys, nameKeys, type PhoneticName } from "@/lib/clients/names";
import { DigestMap } from "@/lib/transfer/imports/digest-map";

export type RowName = { number: number; name: string };

/** The names of one page. Reading a name parses its page. */
const PAGE = 256;
/** The letters above which a text is no name to compare. */
const LETTERS_MAX = 100;
/** The keys of one name: its text and its first pronunciations. Few names have more. */
const KEYS_MAX = 5;

/**
 * The names of earlier rows of a file, to find those that may be similar to another name. It holds them outside the heap:
 * their text, and about 30 bytes for each of at most 5 keys. Names that sound alike take one place. A million names take
 * about 100 MB.
 */
export class EarlierNames {
  /** The places of the names in the pages, by `nameKeys`. */
  private readonly places = new DigestMap();
  private pages: Buffer[] = [];
  /** The names that do not fill a page yet. */
  private latest: RowName[] = [];

  /** Stores the name of a row. Of names with the same text or pronunciation, it keeps the first. */
  add(name: PhoneticName, row: RowName): void {
    if (row.name.length > LETTERS_MAX) return;
    const keys = nameKeys(name)
      .slice(0, KEYS_MAX)
      .filter((key) => this.places.get(key) === undefined);
    if (keys.length === 0) return;
    const place = this.pages.length * PAGE + this.latest.length;
    for (const key of keys) this.places.set(key, place);
    this.latest.push(row);
    if (this.latest.length < PAGE) return;
    this.pages.push(Buffer.from(JSON.stringify(this.latest)));
    this.latest = [];
  }

  /** Returns the rows whose names may be similar. */
  alike(name: PhoneticName): RowName[] {
    const places = alikeKeys(name).flatMap((key) => this.places.get(key) ?? []);
    return [...new Set(places)].flatMap((place) => this.rowsOf(Math.floor(place / PAGE))[place % PAGE] ?? []);
  }

  clear(): void {
    this.places.clear();
    [this.pages, this.latest] = [[], []];
  }

  private rowsOf(page: number): RowName[] {
    const stored = this.pages[page];
    return stored ? JSON.parse(stored.toString()) : this.latest;
  }
}
