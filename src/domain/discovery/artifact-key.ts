/** The key for grouping and correcting artifacts. Without a package URL, artifacts with the same name are the same. */
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
