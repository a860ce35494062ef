import { withoutTrailing } from '../text/trailing.ts';
import { isHostName } from './host.ts';

/**
 * Result of parsing the URL of a git repository. The allowed forms are `https://`, `http://` (for hosts that the
 * operator has configured), `ssh://`, and `git@host:path`, which also uses SSH. Any other URL could make git read local
 * files or run programs.
 */
export type RepositoryUrl =
  | {
      ok: true;
      /** URL in the form that git accepts. `git@host:path` becomes `ssh://git@host/path`. */
      url: string;
      scheme: 'https' | 'http' | 'ssh';
      /** Host, including the port if it isn't the default. */
      host: string;
    }
  | { ok: false; message: string };

const maxLength = 2_048;

export function parseRepositoryUrl(text: string): RepositoryUrl {
  const trimmed = text.trim();
  if (trimmed.startsWith('-')) return invalid('must not start with "-"');
  if (trimmed.length > maxLength) return invalid(`must be at most ${maxLength} characters`);
  if (/[\s\p{Cc}]/u.test(trimmed)) return invalid('must not contain spaces or control characters');
  const shorthand = /^([A-Za-z0-9_.-]+)@([A-Za-z0-9.-]+):(?!\/\/)(.+)$/.exec(trimmed);
  const full = shorthand
    ? `ssh://${shorthand[1]}@${shorthand[2]}/${shorthand[3]!.replace(/^\/+/, '')}`
    : trimmed;
  const url = URL.canParse(full) ? new URL(full) : null;
  if (!url || url.hostname === '')
    return invalid('must be a URL such as https://host/owner/repository or git@host:owner/repository');
  if (!isHostName(url.hostname) || url.port === '0' || decodes(url.pathname, /(^|\/)\.\.(\/|$)/))
    return invalid("has a host or path that isn't allowed");
  if (url.pathname === '/' || url.pathname === '') return invalid('must include a repository path');
  switch (url.protocol) {
    case 'https:':
    case 'http:':
      if (url.username !== '' || url.password !== '') {
        return invalid('must not contain a user name or password; use a credential instead');
      }
      break;
    case 'ssh:':
      if (url.password !== '') return invalid('must not contain a password; use a credential instead');
      if (url.username !== '' && !/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(url.username))
        return invalid("has a user name that isn't allowed");
      break;
    default:
      return invalid(
        'must start with https:// or ssh://, or with http:// for a host in PACEKEEPER_INSECURE_HOSTS',
      );
  }
  if (url.search !== '' || url.hash !== '') return invalid('must not contain a query or fragment');
  const address = withoutTrailing(url.href, '/');
  if (address.length > maxLength)
    return invalid(`must have at most ${maxLength} characters, including percent-encoding`);
  return {
    ok: true,
    url: address,
    scheme: url.protocol.slice(0, -1) as 'https' | 'http' | 'ssh',
    host: url.host,
  };
}

/**
 * Returns `null` if the text is a valid name of a branch, tag, or commit. Otherwise, returns the reason why
 * it isn't valid, as the end of a sentence.
 */
export function checkRef(ref: string): string | null {
  if (ref.startsWith('-')) return 'must not start with "-"';
  // Reject characters that git doesn't allow in ref names, and syntax that could select more than one ref.
  if (/[\s\p{Cc}~^:?*[\\]|\.\.|@\{|\/\/|\.lock(\/|$)|(^|\/)\.|[./]$/u.test(ref))
    return 'must be a branch, tag, or commit';
  return null;
}

/**
 * Returns `null` if a path is a valid file path below the root of a repository. Otherwise, returns the reason
 * why the path isn't valid, as the end of a sentence.
 */
export function checkTargetFile(file: string): string | null {
  if (/\p{Cc}/u.test(file)) return 'must not contain control characters';
  if (file.startsWith('/')) return 'must be relative to the repository root, without a leading slash';
  const parts = file.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    return 'must not contain empty segments, ".", or ".."';
  if (parts.some((part) => part.toLowerCase() === '.git')) return 'must not be inside .git';
  return null;
}

function decodes(path: string, pattern: RegExp): boolean {
  try {
    return pattern.test(decodeURIComponent(path));
  } catch {
    return true;
  }
}

function invalid(message: string): RepositoryUrl {
  return { ok: false, message };
}
