import type { FilePath } from './extractors/extractor.ts';
import { textExtractors, yamlExtractors } from './extractors.ts';
import { type Extracted, type Fact, nothing } from './fact.ts';
import { itemKey } from './item-key.ts';
import { parseDocument, splitDocuments } from './read-documents.ts';
import { reasonTexts } from './reasons.ts';
import { maxDocuments, maxFactsPerFile } from './scan-limits.ts';

export function toFilePath(path: string): FilePath {
  return { path, base: path.slice(path.lastIndexOf('/') + 1) };
}

/** Whether a file could hold something, decided from its name. */
export function isWanted(file: FilePath): boolean {
  return isYaml(file) || textExtractors.some((extractor) => extractor.wantsFile(file));
}

function isYaml({ base }: FilePath): boolean {
  return (
    /\.ya?ml$/i.test(base) ||
    /\.ya?ml\.gotmpl$/i.test(base) ||
    /^(?:Chart|requirements)\.lock$|^kustomization$/i.test(base)
  );
}

/**
 * Everything that a file says about deployed versions. The same text and name give the same facts, so that facts can be
 * stored by content.
 *
 * @param isChartTemplate whether Helm renders the file; its text is then no YAML
 */
export function extractFile(file: FilePath, text: string, { isChartTemplate = false } = {}): Extracted {
  const result = nothing();
  const readers = textExtractors.filter((extractor) => extractor.wantsFile(file));
  for (const extractor of readers) append(result, extractor.extract(text, file));
  if (readers.length === 0 && isYaml(file)) extractYaml(file, text, isChartTemplate, result);
  result.facts = withoutRepetitions(result.facts);
  if (result.facts.length > maxFactsPerFile) {
    result.facts.length = maxFactsPerFile;
    result.problems.push({ line: 1, reason: 'too_large', message: `More than ${maxFactsPerFile} versions.` });
  }
  return result;
}

function extractYaml(file: FilePath, text: string, isChartTemplate: boolean, result: Extracted): void {
  let parsed = 0;
  for (const part of splitDocuments(text)) {
    const extractors = yamlExtractors.filter((extractor) => extractor.wants(part.text, file));
    if (extractors.length === 0) continue;
    if (isChartTemplate) {
      const message = 'A template of a Helm chart.';
      if (/image|chart|repoURL/i.test(part.text))
        result.problems.push({ line: part.line, reason: 'templated', message });
      return;
    }
    parsed++;
    if (parsed > maxDocuments) {
      const message = `More than ${maxDocuments} documents.`;
      result.problems.push({ line: part.line, reason: 'too_large', message });
      return;
    }
    const read = parseDocument(part);
    if (!read.ok) {
      const isTemplate = part.text.includes('{{');
      result.problems.push({
        line: part.line,
        reason: isTemplate ? 'templated' : 'unreadable',
        message: isTemplate ? reasonTexts.templated : read.message,
      });
      continue;
    }
    for (const extractor of extractors) append(result, extractor.extract(read.document, file));
    if (result.facts.length > maxFactsPerFile) return;
  }
}

/** A file that says the same several times, such as an action of several jobs, is one item. */
function withoutRepetitions(facts: readonly Fact[]): Fact[] {
  const seen = new Set<string>();
  return facts.filter((fact) => {
    const key = JSON.stringify([itemKey(fact), fact.artifact.name, fact.version, fact.digest]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function append(result: Extracted, more: Extracted): void {
  for (const fact of more.facts) result.facts.push(fact);
  for (const link of more.links) result.links.push(link);
  for (const problem of more.problems) result.problems.push(problem);
}
