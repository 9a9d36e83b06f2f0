// Numbers from the server's own routes. What an answer depends on travels in the body, so no address holds a text.

const TRIES = 5; // where the server says that it is busy
const LONGEST_WAIT = 10; // seconds between two of them

/** What the server said instead of numbers: one sentence in the reader's language. */
export class Refused extends Error {}

/** POST to one of our routes and read its bytes; see send. */
export async function post(path, body, signal) {
  return new Uint8Array(await (await send(path, body, signal)).arrayBuffer());
}

/**
 * POST to one of our routes.
 *
 * @param {string} path below api/
 * @param {object} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>} once it has begun
 * @throws {Refused} the server refused, with its sentence; any other error is of the way to it
 */
export async function send(path, body, signal) {
  for (let tries = 1; ; tries++) {
    const response = await fetch(new URL(`api/${path}`, document.baseURI), {
      method: 'POST',
      headers: {'Content-Type': 'application/json'},
      body: JSON.stringify(body),
      signal,
    });
    if (response.ok) return response;
    const said = await response.json().catch(() => ({}));
    if (!said.error) throw new Error(`${response.status} ${response.statusText}`); // of a proxy, not of our routes
    if (response.status !== 503 || tries === TRIES) throw new Refused(said.error);
    const seconds = Math.min(Number(response.headers.get('Retry-After')) || 1, LONGEST_WAIT);
    await new Promise((done) => setTimeout(done, 1000 * seconds));
    signal?.throwIfAborted();
  }
}
