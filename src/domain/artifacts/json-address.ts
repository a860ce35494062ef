import { type ArtifactNameResult, artifactNamed } from './artifact-result.ts';
import { readWebAddress } from './web-address.ts';

/** The URL of a document. Its query is part of it, its fragment is not. */
export function normalizeJsonAddress(name: string): ArtifactNameResult {
  const address = readWebAddress(name);
  if (!address.ok) return address;
  address.url.hash = '';
  return artifactNamed(address.url.href);
}
