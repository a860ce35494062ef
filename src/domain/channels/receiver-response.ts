/** The body of a receiver's response. */
export interface ReceiverResponse {
  text: string;
  /** The body as JSON. `undefined` if the body isn't a JSON object or array, or was truncated. */
  json: unknown;
}

/** The reason why a receiver rejected a message in a response with a 2xx status. */
export interface Rejection {
  message: string;
  /** True if the receiver rejected the message because of a rate limit. */
  isRateLimit: boolean;
}

/** A condition on the response of a receiver that reports errors with a 2xx status. */
export interface SuccessCondition {
  /** Dotted path of a value in the JSON body, such as `data.errcode`. `null` for the whole body as text. */
  path: string | null;
  /** The value that means success. */
  equals: string | number | boolean;
}

/**
 * Error codes and texts of platforms for exceeded rate limits: DingTalk 130101, WeCom 45009 and 45033, Feishu
 * 9499 and 11232, Telegram 429, Slack `ratelimited` and `rate_limited`, and "HTTP error 429" of Teams. The
 * pattern must match nothing else, because other texts can mention a rate limit or contain the number 429 for
 * another reason.
 */
const rateLimitCodes = new Set(['130101', '45009', '45033', '9499', '11232', '429']);
const rateLimitText = /^rate_?limited$|\bHTTP error 429\b/iu;

/**
 * @param code The error code of the receiver. If there is one, it alone determines whether the rejection is a
 * rate limit. Otherwise, the text does.
 * @param text The text of the receiver, if it differs from the message.
 */
export function rejection(message: string, code?: unknown, text = message): Rejection {
  const isRateLimit = code === undefined ? rateLimitText.test(text.trim()) : isRateLimitCode(code);
  return { message, isRateLimit };
}

/**
 * Returns the rejection that a response reports in `ok` (Slack, Telegram), or in `success` or `result`
 * (Rocket.Chat and Zulip, which accept messages in Slack's format). Returns `null` if it reports none.
 */
export function findOkRejection(json: unknown, names: readonly string[]): Rejection | null {
  const isRejected =
    readJsonMember(json, 'ok') === false ||
    readJsonMember(json, 'success') === false ||
    readJsonMember(json, 'result') === 'error';
  if (!isRejected) return null;
  return rejection(findTextField(json, names), readJsonMember(json, 'error_code'));
}

/**
 * Checks a response against the condition of a channel.
 * @returns `null` if the condition is met. A response that doesn't contain the checked value doesn't meet it.
 */
export function checkSuccessCondition(
  { path, equals }: SuccessCondition,
  answer: ReceiverResponse,
): Rejection | null {
  if (path === null) {
    const text = answer.text.trim();
    return text === String(equals) ? null : rejection(text === '' ? 'The body is empty.' : text);
  }
  let value: unknown = answer.json;
  for (const name of path.split('.')) value = readJsonMember(value, name);
  if (value === equals) return null;
  const found = value === undefined ? `The response has no \`${path}\`.` : `\`${path}\` is ${toText(value)}.`;
  const reason = findTextField(answer.json, ['errmsg', 'msg', 'message', 'error', 'description', 'detail']);
  return rejection(reason === '' ? found : `${found} ${reason}`, value, reason);
}

function isRateLimitCode(code: unknown): boolean {
  return (typeof code === 'string' || typeof code === 'number') && rateLimitCodes.has(String(code));
}

export function readJsonMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** Returns the first of the given fields that is a non-empty text, or an empty string. */
export function findTextField(value: unknown, names: readonly string[]): string {
  for (const name of names) {
    const text = readJsonMember(value, name);
    if (typeof text === 'string' && text !== '') return text;
  }
  return '';
}

function toText(value: unknown): string {
  return typeof value === 'object' ? 'not a single value' : JSON.stringify(value);
}
