import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureFirefox } from "@/lib/dev/browsers";

// A Firefox that is controlled through WebDriver BiDi. Playwright's own Firefox is a changed build, which must be
// downloaded and is not the browser that people use.

interface Socket {
  on(event: "message", listen: (data: unknown) => void): void;
  once(event: "open" | "error", listen: (error?: Error) => void): Socket;
  send(text: string): void;
  close(): void;
}
/** The WebSocket that Playwright brings; Node has one of its own only from version 22 on. */
const { ws: WebSocket } = createRequire(import.meta.url)("playwright-core/lib/utilsBundle") as {
  ws: new (url: string) => Socket;
};

/** Playwright's key names of the keys that tests press, and WebDriver's code points for them. */
const KEYS = {
  Backspace: "\uE003",
  Tab: "\uE004",
  Enter: "\uE007",
  Escape: "\uE00C",
  End: "\uE010",
  Home: "\uE011",
  ArrowLeft: "\uE012",
  ArrowDown: "\uE015",
  Delete: "\uE017",
} as const;
export type Key = keyof typeof KEYS;

const PREFERENCES = {
  // Without it, a window that is not in front gets no focus events.
  "focusmanager.testmode": true,
  "browser.download.folderList": 2,
  "browser.download.useDownloadDir": true,
  "browser.download.always_ask_before_handling_new_types": false,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "signon.rememberSignons": false,
};

const POLL_MS = 50;
/** A call that has not returned by then belongs to a page that is gone. */
const UNANSWERED_MS = 10_000;

type Message = { id?: number; error?: string; message?: string; result: unknown };

/** One tab of a Firefox, in a profile of its own. */
export class Firefox {
  private nextId = 0;
  private readonly waiting = new Map<number, (response: Message) => void>();
  private context = "";
  /** Lines of the console that are errors, and exceptions that no script caught. */
  readonly errors: string[] = [];

  private constructor(
    private readonly child: ChildProcess,
    private readonly socket: Socket,
    private readonly profile: string,
    private readonly downloads: string,
  ) {
    socket.on("message", (data: unknown) => this.receive(JSON.parse(String(data))));
  }

  /** Starts Firefox with one empty tab. */
  static async start(preferences: Record<string, unknown> = {}): Promise<Firefox> {
    const profile = await mkdtemp(path.join(tmpdir(), "lanternbook-firefox-"));
    const downloads = path.join(profile, "downloads");
    const all = {
      ...PREFERENCES,
      "browser.download.dir": downloads,
      "intl.accept_languages": "en-US",
      ...preferences,
    };
    await writeFile(
      path.join(profile, "user.js"),
      Object.entries(all)
        .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
        .join(""),
    );
    const child = spawn(
      ensureFirefox(),
      ["--headless", "--no-remote", "--remote-debugging-port=0", "--profile", profile],
      {
        env: { ...process.env, MOZ_HEADLESS_WIDTH: "1280", MOZ_HEADLESS_HEIGHT: "900", HOME: profile },
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
    const address = await new Promise<string>((resolve, reject) => {
      let output = "";
      child.stderr.on("data", (chunk) => {
        output += chunk;
        const found = /WebDriver BiDi listening on (ws:\S+)/.exec(output)?.[1];
        if (found) resolve(found);
      });
      child.once("exit", () => reject(new Error(`Firefox did not start:\n${output}`)));
    });
    const socket = new WebSocket(`${address}/session`);
    await new Promise<void>((resolve, reject) => socket.once("open", () => resolve()).once("error", reject));
    const firefox = new Firefox(child, socket, profile, downloads);
    await firefox.send("session.new", {
      capabilities: { alwaysMatch: { unhandledPromptBehavior: { beforeUnload: "accept" } } },
    });
    await firefox.send("session.subscribe", { events: ["log.entryAdded"] });
    // A tab that was opened with Firefox gets no focus events.
    const { context } = await firefox.send<{ context: string }>("browsingContext.create", { type: "tab" });
    firefox.context = context;
    return firefox;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.socket.close();
    this.child.kill("SIGTERM");
    await ended;
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  private receive(message: Message & { method?: string; params?: { level?: string; text?: string } }) {
    if (message.id !== undefined) {
      this.waiting.get(message.id)?.(message);
      this.waiting.delete(message.id);
    } else if (message.method === "log.entryAdded" && message.params?.level === "error") {
      this.errors.push(message.params.text ?? "");
    }
  }

  private async send<Result>(method: string, params: object): Promise<Result> {
    const id = ++this.nextId;
    const response = new Promise<Message>((resolve) => this.waiting.set(id, resolve));
    this.socket.send(JSON.stringify({ id, method, params }));
    const { error, message, result } = await response;
    if (error) throw new Error(`${method}: ${error}: ${message}`);
    return result as Result;
  }

  async goto(url: string): Promise<void> {
    await this.send("browsingContext.navigate", { context: this.context, url, wait: "complete" });
  }

  /** Returns the names of the files that were downloaded completely. */
  async downloaded(): Promise<string[]> {
    const names = await readdir(this.downloads).catch(() => []);
    return names.some((name) => name.endsWith(".part")) ? [] : names;
  }

  /** Goes one entry back, as the Back button does. */
  async back(): Promise<void> {
    await this.send("browsingContext.traverseHistory", { context: this.context, delta: -1 });
  }

  /** Calls the function in the page with these JSON values and returns its JSON value. */
  async evaluate<Arguments extends unknown[], Result>(
    work: (...args: Arguments) => Result,
    ...args: Arguments
  ): Promise<Awaited<Result>> {
    const { exceptionDetails, result } = await this.send<{
      exceptionDetails?: { text: string };
      result?: { value?: unknown };
    }>("script.callFunction", {
      functionDeclaration: `async (text) => JSON.stringify(await (${work})(...JSON.parse(text))) ?? "null"`,
      arguments: [{ type: "string", value: JSON.stringify(args) }],
      awaitPromise: true,
      target: { context: this.context },
    });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return JSON.parse(String(result?.value));
  }

  /** Waits until the function returns something truthy in the page, and returns it. Throws after 100 s. */
  async until<Arguments extends unknown[], Result>(
    work: (...args: Arguments) => Result,
    ...args: Arguments
  ): Promise<NonNullable<Awaited<Result>>> {
    for (const end = Date.now() + 100_000; Date.now() < end; ) {
      // While another page loads, there is no page to ask, and a call may never return.
      const asked = this.evaluate(work, ...args).catch(() => null);
      const result = await Promise.race([asked, sleep(UNANSWERED_MS).then(() => null)]);
      if (result) return result;
      await sleep(POLL_MS);
    }
    const shown = await this.evaluate(() => `${location.href}\n${document.body.textContent}`);
    throw new Error(`Never true: ${work} with ${JSON.stringify(args)}. The page shows:\n${shown}`);
  }

  /** Presses and releases keys one after the other. */
  async keys(...names: (Key | string)[]): Promise<void> {
    const actions = names.flatMap((name) => {
      const value = name in KEYS ? KEYS[name as Key] : name;
      return [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ];
    });
    await this.send("input.performActions", {
      context: this.context,
      actions: [{ type: "key", id: "keyboard", actions }],
    });
  }

  /** Types the text, a key for each character. */
  async type(text: string): Promise<void> {
    await this.keys(...text);
  }

  /** Presses the main mouse button on the middle of the element for 100 ms, as people do. */
  async press(selector: string): Promise<void> {
    const at = await this.until((query) => {
      const element = document.querySelector(query);
      element?.scrollIntoView({ block: "center", behavior: "instant" });
      const box = element?.getBoundingClientRect();
      return box && box.width > 0
        ? { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) }
        : null;
    }, selector);
    const actions = [
      { type: "pointerMove", ...at },
      { type: "pointerDown", button: 0 },
      { type: "pause", duration: 100 },
      { type: "pointerUp", button: 0 },
    ];
    await this.send("input.performActions", {
      context: this.context,
      actions: [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }],
    });
  }
}
