import { type ArtifactNameResult, maxArtifactLength } from './artifact-result.ts';
import { readWebAddress } from './web-address.ts';

/** The URL of a document. Its query is part of it, its fragment is not. */
export function normalizeJsonAddress(name: string): ArtifactNameResult {
  const address = readWebAddress(name);
  if (!address.ok) return address;
  address.url.hash = '';
  const { href } = address.url;
  return href.length <= maxArtifactLength
    ? { ok: true, artifactName: href }
    : { ok: false, message: 'it has more than 1,000 characters' };
}
