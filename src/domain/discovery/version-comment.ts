import type { DocumentTree } from '../parsers/document-tree.ts';
import type { ReadDocument } from './read-documents.ts';
import type { ImageFact } from './read-image.ts';
import { readVersion } from './read-version.ts';

/**
 * Returns the version in a comment after a value, such as `# v4.1.2`, `# tag=v3.1.1`, `# renovate:
 * tag=v2.3.5`, or `# ratchet:actions/checkout@v4`.
 */
export function versionComment({ text }: ReadDocument, { offset }: DocumentTree): string | null {
  if (offset === undefined) return null;
  const end = text.indexOf('\n', offset);
  const line = text.slice(offset, end < 0 ? undefined : end).slice(0, 500);
  const hash = line.indexOf(' #');
  return hash < 0 ? null : versionInComment(line.slice(hash));
}

/** Returns the version at the beginning of a comment. */
export function versionInComment(comment: string): string | null {
  const match =
    /^[ #/]*(?:renovate: ?)?(?:tag[=:] ?|pin |version[=:] ?|ratchet:[^\s@]+@|[\w.-]+\/[\w./-]+@)?@?(v?\d[\w.+-]*)(?:\s|$|,|;)/i.exec(
      comment.slice(0, 500),
    );
  return match ? match[1]! : null;
}

/** Adds the version from the comment after the digest to an image without a tag. */
export function withCommentedVersion(
  image: ImageFact & { note?: string | null },
  document: ReadDocument,
  node: DocumentTree,
): ImageFact & { note: string | null } {
  const comment = image.state === 'digest' ? versionComment(document, node) : null;
  if (comment === null) return { ...image, note: image.note ?? null };
  return { ...image, ...readVersion(comment, 'tag'), note: 'version from the comment after the digest' };
}
