import { withoutGitAddress } from '../artifacts/forge-names.ts';
import { withoutTrailing } from '../text/trailing.ts';

/** Parts of pasted text. */
export interface PastedText {
  /** The text without surrounding spaces. */
  readonly text: string;
  /** Host and path, such as `host/path`, without the scheme, the query, and the fragment. */
  readonly address: string;
  /** Host in lowercase. */
  readonly host: string;
  /** Path segments after the host. Empty if the text has no slash. */
  readonly path: readonly string[];
}

export function readPastedText(pasted: string): PastedText {
  const text = pasted.trim();
  const [address = ''] = withoutGitAddress(text).split(/[?#]/u);
  const [host = '', ...path] = withoutTrailing(address, '/').split('/');
  return { text, address, host: host.toLowerCase(), path };
}
