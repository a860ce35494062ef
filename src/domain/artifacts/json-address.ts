import { type ArtifactNameResult, checkArtifactLength } from './artifact-result.ts';
import { readWebAddress } from './web-address.ts';

/** Normalizes the URL of a document. It keeps the query and removes the fragment. */
export function normalizeJsonAddress(name: string): ArtifactNameResult {
  const address = readWebAddress(name);
  if (!address.ok) return address;
  address.url.hash = '';
  return checkArtifactLength(address.url.href);
}
