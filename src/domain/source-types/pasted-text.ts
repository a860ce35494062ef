import { withoutGitAddress } from '../artifacts/forge-names.ts';

/** A text that someone pasted, in parts. */
export interface PastedText {
  /** Without surrounding spaces. */
  readonly text: string;
  /** `host/path` without scheme, query, and fragment. */
  readonly address: string;
  /** In lower case. */
  readonly host: string;
  /** Empty if the text has no slash. */
  readonly path: readonly string[];
}

export function readPastedText(pasted: string): PastedText {
  const text = pasted.trim();
  const [address = ''] = withoutGitAddress(text).split(/[?#]/u);
  const [host = '', ...path] = address.replace(/\/+$/u, '').split('/');
  return { text, address, host: host.toLowerCase(), path };
}
