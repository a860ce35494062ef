import type { Extracted, ExtractorName } from '../fact.ts';
import type { ReadDocument } from '../read-documents.ts';

/** File of a repository. Its path uses slashes. */
export interface FilePath {
  path: string;
  /** Last segment of the path. */
  base: string;
}

/**
 * Extractor for the documents of YAML files. A document is parsed once, even if several extractors read it.
 */
export interface YamlExtractor {
  name: ExtractorName;
  /**
   * Returns true if the document could contain versions. Implementations must check the text in linear time.
   */
  wants(text: string, file: FilePath): boolean;
  /**
   * Returns true if a document is auxiliary: it contains only values that other files refer to. Problems in
   * an auxiliary document aren't reported, and it doesn't determine the kind of the file. Without this
   * function, no document is auxiliary.
   */
  isAuxiliary?(text: string): boolean;
  extract(document: ReadDocument, file: FilePath): Extracted;
}

/** Extractor for files that aren't YAML. */
export interface TextExtractor {
  name: ExtractorName;
  wantsFile(file: FilePath): boolean;
  /**
   * Returns true if the name of a file alone shows its kind. By default, this is true for every file that
   * `wantsFile` accepts.
   */
  isNamed?(file: FilePath): boolean;
  extract(text: string, file: FilePath): Extracted;
}

/**
 * True for a YAML file below a directory. One expression for the path and its end would take quadratic time.
 */
export function isYamlBelow(directory: RegExp, { path }: FilePath): boolean {
  return /.\.ya?ml$/.test(path) && directory.test(path);
}
