import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import { answeredSince, answersInTime, databaseAnswers } from "@/lib/core/database/client";
import { unavailable } from "@/lib/core/errors";
import { limiter } from "@/lib/core/process/limiter";
import { isDisconnected, requestContext } from "@/lib/core/process/request-context";
import { readPageSession } from "@/lib/identity/page-session";
import { isPage } from "@/lib/paths";

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A response of the database proves for this many milliseconds that it is up. */
const FRESH_MS = 1_000;

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Please try again in a moment</title>
<h1>Please try again in a moment</h1>
<p>The database is not responding right now. Nothing you saved is lost.</p>
<p><a href="">Try again</a></p>
</html>
`;

/** Renders a few pages of each user at once; others wait. A browser requests few more on its own. */
const inShare = limiter(Number.POSITIVE_INFINITY, 3);

/**
 * While the database does not respond, pages get 503 at once. Next would respond with 500, because a page cannot choose
 * that status. If the head was already sent, it would respond with 200. Reading the page's session shows if the
 * database responds. Without a session, the database is asked, unless it has responded to anyone within the last
 * second. The worker's statements usually ensure that. The API handles this itself (lib/route.ts); static files need no
 * database. Many pages of one user are rendered a few at a time, so that they delay no other user.
 */
export function whenDatabaseAnswers(handler: Handler): Handler {
  return async (request, response) => {
    const [pathname = ""] = (request.url ?? "").split("?", 1);
    if (!isPage(pathname)) return handler(request, response);
    if (await sessionAnswers(request.headers.cookie)) {
      const work = async () => {
        if (!isDisconnected()) await handler(request, response);
      };
      // Guests may share one address, and none of them may delay the others.
      return requestContext()?.userId === undefined ? work() : inShare(work);
    }
    response.writeHead(503, {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      ...unavailable().extra.headers,
    });
    response.end(request.method === "HEAD" ? undefined : PAGE);
  };
}

async function sessionAnswers(cookies: string | undefined): Promise<boolean> {
  let isSignedIn = false;
  const reading = readPageSession(cookies).then((actor) => {
    isSignedIn = actor !== null;
  });
  if (!(await answersInTime(reading))) return false;
  return isSignedIn || answeredSince(Date.now() - FRESH_MS) || databaseAnswers();
}
