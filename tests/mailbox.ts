import { SMTPServer } from "smtp-server";

/**
 * Starts a mail server on loopback that stores accepted mail. The recipient's address controls its behavior: it refuses
 * `refused…`, drops the connection for `dropped…`, and accepts `slow…` only once `slow` resolves.
 */
export async function startSmtpServer(port = 0, slow: Promise<void> = Promise.resolve()) {
  const accepted: { to: string; source: string }[] = [];
  const dropped = new Set<string>();
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onRcptTo({ address }, _session, answer) {
      if (address.startsWith("refused")) {
        answer(Object.assign(new Error("No such mailbox"), { responseCode: 550 }));
      } else if (address.startsWith("slow")) void slow.then(() => answer());
      else answer();
    },
    async onData(stream, session, answer) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      const to = session.envelope.rcptTo[0]?.address ?? "";
      accepted.push({ to, source: Buffer.concat(chunks).toString() });
      if (to.startsWith("dropped") && !dropped.has(to)) {
        dropped.add(to);
        // The message was received, but its sender gets no confirmation.
        for (const connection of server.connections as Set<{ id: string; _socket: { destroy(): void } }>) {
          if (connection.id === session.id) connection._socket.destroy();
        }
      } else answer();
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.server.address();
  return {
    url: `smtp://127.0.0.1:${typeof address === "object" && address ? address.port : port}`,
    accepted,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

export type SmtpServer = Awaited<ReturnType<typeof startSmtpServer>>;

export type ReadMail = { to: string; subject: string; source: string; kind: string; token: string };

/** Parses the message source, including the token in its link. */
export function readMail(source: string): ReadMail {
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(source)?.[1]?.trim() ?? "";
  const body = source.replace(/=\r?\n/g, "");
  const [link, account, token = "", update] =
    /\/(account|update_password)\/([\w-]{43})(\/activate)?/.exec(body) ?? [];
  const kind = !link ? "notice" : account === "account" && update ? "activation" : "reset";
  return { to: header("To"), subject: header("Subject"), source, kind, token };
}
