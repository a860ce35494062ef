/** A problem with the custom headers of a channel. `name` is `null` if the problem affects all headers. */
export interface HeaderError {
  name: string | null;
  message: string;
}

const countLimit = 20;
const nameLimit = 200;
const valueLimit = 4_096;

/** A token as defined in RFC 9110, section 5.6.2. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/**
 * Visible ASCII and inner spaces. Tabs, line breaks, and other characters aren't allowed, because receivers
 * interpret them differently.
 */
const visible = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * Headers that frame the message, belong to one connection (RFC 9110, section 7.6.1), or are reserved for
 * Pacekeeper.
 */
const reservedNames = new Set(
  'host cookie expect connection keep-alive te trailer transfer-encoding upgrade http2-settings'.split(' '),
);
const reservedPrefixes = ['content-', 'proxy-', 'webhook-'];

/**
 * Checks the custom headers of a channel: at most 20 headers, unique names (ignoring case) that are valid and not
 * reserved, and values of at most 4 KiB of visible ASCII. Error messages never contain a header value, because it can
 * be a secret.
 */
export function checkHeaders(headers: Readonly<Record<string, unknown>>): HeaderError[] {
  const errors: HeaderError[] = [];
  const seen = new Set<string>();
  const entries = Object.entries(headers);
  if (entries.length > countLimit)
    errors.push({ name: null, message: `no more than ${countLimit} headers are allowed` });
  for (const [name, value] of entries) {
    const problem = nameProblem(name, seen) ?? valueProblem(value);
    if (problem !== null) errors.push({ name, message: problem });
    seen.add(name.toLowerCase());
  }
  return errors;
}

function nameProblem(name: string, seen: ReadonlySet<string>): string | null {
  const lower = name.toLowerCase();
  if (!token.test(name)) return "the name can contain only letters, digits, and !#$%&'*+-.^_`|~";
  if (name.length > nameLimit) return `the name can have at most ${nameLimit} characters`;
  if (reservedNames.has(lower) || reservedPrefixes.some((prefix) => lower.startsWith(prefix))) {
    return "this header can't be overridden";
  }
  return seen.has(lower) ? 'duplicate header' : null;
}

function valueProblem(value: unknown): string | null {
  if (typeof value !== 'string') return 'the value must be a string';
  if (value.length > valueLimit) return 'the value exceeds 4 KiB';
  return visible.test(value) ? null : 'the value must be printable ASCII without leading or trailing spaces';
}
