import { normalizePurl } from '../artifacts/purl.ts';
import type { ArtifactKind } from './fact.ts';

/**
 * Returns the key for grouping and correcting artifacts. Artifacts without a package URL are identified by
 * kind and name.
 */
export function artifactKey({
  kind,
  name,
  purl,
}: {
  kind: string;
  name: string;
  purl: string | null;
}): string {
  return purl ?? `${kind}:${name}`;
}

/** Kinds with which the key of an artifact without a package URL can begin. */
const kinds: Readonly<Record<ArtifactKind | 'unknown', true>> = {
  chart: true,
  image: true,
  git: true,
  action: true,
  terraform_provider: true,
  terraform_module: true,
  tool: true,
  service: true,
  // The kind of an item that a configuration file names before a scan has found it.
  unknown: true,
};

/** Maximum size of a key, because keys are stored in a database index. */
const maxKeyBytes = 1_200;

export type ArtifactKeyResult = { ok: true; key: string } | { ok: false; message: string };

/**
 * Returns the key of an artifact, in the same form as in discovered items: the package URL, or the kind and
 * the name if the artifact has no package URL.
 */
export function normalizeArtifactKey(text: string): ArtifactKeyResult {
  const trimmed = text.trim();
  if (Buffer.byteLength(trimmed) > maxKeyBytes)
    return { ok: false, message: `must have at most ${maxKeyBytes} bytes` };
  if (/^pkg:/i.test(trimmed)) {
    const purl = normalizePurl(trimmed);
    return purl !== null && Buffer.byteLength(purl) <= maxKeyBytes
      ? { ok: true, key: purl }
      : { ok: false, message: "isn't a valid package URL" };
  }
  const colon = trimmed.indexOf(':');
  if (Object.hasOwn(kinds, trimmed.slice(0, Math.max(colon, 0))) && colon < trimmed.length - 1)
    return { ok: true, key: trimmed };
  const example = 'pkg:oci/shop?repository_url=ghcr.io/acme/shop, or image:registry.local/shop';
  return {
    ok: false,
    message: `must be a package URL, or a kind (${Object.keys(kinds).join(', ')}) and a name, such as ${example}`,
  };
}
