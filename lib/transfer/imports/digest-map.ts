import "server-only";
import { createHash } from "node:crypto";

/** The bytes of a digest, enough that no two texts of a file have the same. */
const BYTES = 16;
/** The entries of one page. Pages are filled one after another and never copied. */
const PAGE = 65_536;

/**
 * Maps texts to whole numbers. It holds only digests of the texts, outside the heap: about 30 bytes an entry, 30 MB for
 * the most rows of a file.
 */
export class DigestMap {
  /** The places of the entries, from 1, by the beginnings of their digests; at most half of them are taken. */
  private slots = new Uint32Array(1024);
  private readonly pages: { digests: Buffer; values: Uint32Array }[] = [];
  private size = 0;

  /** Returns the number of the text, or undefined. */
  get(text: string): number | undefined {
    const place = this.slots[this.slotOf(digestOf(text))] ?? 0;
    return place === 0 ? undefined : this.page(place).values[(place - 1) % PAGE];
  }

  /** Stores the number, from 0 to 4,294,967,295, of the text. */
  set(text: string, value: number): void {
    const digest = digestOf(text);
    const slot = this.slotOf(digest);
    const found = this.slots[slot] ?? 0;
    const place = found === 0 ? this.add(digest, slot) : found;
    this.page(place).values[(place - 1) % PAGE] = value;
  }

  /** Removes all entries. Keeps the memory for later ones. */
  clear(): void {
    this.slots = new Uint32Array(1024);
    this.size = 0;
  }

  private add(digest: Buffer, slot: number): number {
    if (this.size === this.pages.length * PAGE)
      this.pages.push({ digests: Buffer.alloc(PAGE * BYTES), values: new Uint32Array(PAGE) });
    this.size += 1;
    digest.copy(this.page(this.size).digests, ((this.size - 1) % PAGE) * BYTES);
    this.slots[slot] = this.size;
    if (this.size * 2 > this.slots.length) this.grow();
    return this.size;
  }

  private grow(): void {
    this.slots = new Uint32Array(this.slots.length * 2);
    for (let place = 1; place <= this.size; place += 1) this.slots[this.slotOf(this.digestAt(place))] = place;
  }

  /** Returns the slot of the digest: the one that has it, or the one that it would take. */
  private slotOf(digest: Buffer): number {
    const mask = this.slots.length - 1;
    let slot = digest.readUInt32LE(0) & mask;
    for (;;) {
      const place = this.slots[slot] ?? 0;
      if (place === 0 || this.digestAt(place).equals(digest)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  private digestAt(place: number): Buffer {
    const at = ((place - 1) % PAGE) * BYTES;
    return this.page(place).digests.subarray(at, at + BYTES);
  }

  private page(place: number) {
    const page = this.pages[Math.floor((place - 1) / PAGE)];
    if (!page) throw new RangeError(`No entry ${place}`);
    return page;
  }
}

const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest().subarray(0, BYTES);
