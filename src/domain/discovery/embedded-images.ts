import type { ExtractorName, Fact } from './fact.ts';
import { looksLikeImage, readImage, splitImage } from './read-image.ts';
import { isTemplated } from './read-version.ts';
import { maxFactsPerFile } from './scan-limits.ts';

/**
 * Matches an assignment, such as `image = "acme/web:1.2.3"` and `image: acme/web:1.2.3`. The groups are the
 * key, the sign, and the value in double quotes, in single quotes, or without quotes.
 */
const assignment =
  /^(?:- )?["']?([A-Za-z][\w.-]{0,80})["']?[ \t]{0,20}(\??=|:=|:(?=[ \t]))[ \t]{0,20}(?:"([^"\s]{3,500})"|'([^'\s]{3,500})'|([^\s"',;]{3,500}))[,;]?(?:[ \t]{1,20}(?:#|\/\/|\\).*)?$/;

/** Reads a line that sets an image with a version. Returns null for other lines. */
export function readImageAssignment(line: string): { key: string; sign: string; image: string } | null {
  const [, key, sign, double, single, bare] = assignment.exec(line.slice(0, 1_000).trim()) ?? [];
  const image = double ?? single ?? bare;
  if (key === undefined || sign === undefined || image === undefined || !/image$/i.test(key)) return null;
  const parts = isTemplated(image) || !looksLikeImage(image) ? null : splitImage(image);
  // A name without a namespace, with a tag without a digit, can be anything, such as the name of a local
  // build.
  const isPublished = parts !== null && (parts.name.includes('/') || /\d/.test(parts.tag ?? ''));
  return isPublished && (parts.tag !== null || parts.digest !== null) ? { key, sign, image } : null;
}

/**
 * Matches a line that begins a block scalar in YAML, which is a text over several lines. The group is its
 * indentation.
 */
const blockStart =
  /^([ \t]{0,200})(?:- )*(?:"[^"]{1,200}"|'[^']{1,200}'|[\w./-]{1,200}): {1,20}[|>][-+\d]{0,3}[ \t]*(?:#.*)?$/;

/** Keys of texts for human readers. Images in these texts are only examples, so they're skipped. */
const readerKeys = /example|description|readme|notes|message|artifacthub|documentation|comment|usage/i;

/**
 * Returns the images in block scalars of YAML files. Such a text can be the configuration of a runner in
 * TOML, or an expression that creates a container. Images that an extractor found in the same text are
 * skipped.
 *
 * @param known The facts of the file.
 */
export function readEmbeddedImages(text: string, extractor: ExtractorName, known: readonly Fact[]): Fact[] {
  if (!/image/i.test(text) || /^kind: *["']?CustomResourceDefinition\b/m.test(text)) return [];
  const facts: Fact[] = [];
  const lines = text.split('\n');
  /** Lines on which extractors found each image. */
  const knownLines = new Map<string, number[]>();
  for (const { artifact, version, place } of known)
    knownLines.set(imageKey(artifact.name, version), [
      ...(knownLines.get(imageKey(artifact.name, version)) ?? []),
      place.line,
    ]);
  let block: { line: number; indent: number; isForReaders: boolean } | null = null;
  for (const [at, line] of lines.entries()) {
    if (facts.length >= maxFactsPerFile) break;
    if (line.trim() === '') continue;
    const indent = line.length - line.trimStart().length;
    if (block !== null && indent <= block.indent) block = null;
    if (block === null) {
      const start = blockStart.exec(line.slice(0, 1_000));
      if (start) block = { line: at + 1, indent: start[1]!.length, isForReaders: readerKeys.test(start[0]) };
      continue;
    }
    if (block.isForReaders || /^\s*(?:#|\/\/)/.test(line)) continue;
    const found = readImageAssignment(line);
    const parts = found && splitImage(found.image);
    if (!found || !parts) continue;
    const image = readImage(parts);
    const { line: start } = block;
    const isKnown = knownLines
      .get(imageKey(image.artifact.name, image.version))
      ?.some((each) => each >= start && each <= at + 1);
    if (isKnown) continue;
    facts.push({
      extractor,
      place: {
        line: at + 1,
        document: 0,
        kind: null,
        namespace: null,
        name: null,
        field: `text ${found.key} ${image.artifact.name}`,
      },
      ...image,
      note: 'in a text',
    });
  }
  return facts;
}

function imageKey(name: string, version: string | null): string {
  return `${name} ${version ?? ''}`;
}
