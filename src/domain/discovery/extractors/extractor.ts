import type { Extracted, ExtractorName } from '../fact.ts';
import type { ReadDocument } from '../read-documents.ts';

/** A file of the repository, by its path with slashes. */
export interface FilePath {
  path: string;
  /** The last part. */
  base: string;
}

/** Reads one document of a YAML file. Several extractors can read the same document, which is parsed once. */
export interface YamlExtractor {
  name: ExtractorName;
  /** Whether the document could hold something, decided from its text in linear time. */
  wants(text: string, file: FilePath): boolean;
  extract(document: ReadDocument, file: FilePath): Extracted;
}

/** Reads a whole file that isn't YAML. */
export interface TextExtractor {
  name: ExtractorName;
  wantsFile(file: FilePath): boolean;
  extract(text: string, file: FilePath): Extracted;
}
