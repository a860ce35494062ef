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
