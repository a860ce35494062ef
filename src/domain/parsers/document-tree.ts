/**
 * What a path is walked over: a parsed document, read lazily and only where the path leads. YAML and JSON each give
 * their own view, so that walking, and what it says of trouble, is the same for both.
 */
export type DocumentTree = {
  /** Where it begins in the text, in UTF-16 units. JSON does not say. */
  offset?: number;
} & (
  | {
      kind: 'map' /** As written, in order. */;
      keys(): string[] /** `undefined` when the key is not there. */;
      get(key: string): DocumentTree | undefined;
      /** All keys with their values, in one pass: merged ones too, each key once. */
      entries(): Iterable<[key: string, value: DocumentTree]>;
    }
  | { kind: 'list'; length: number; at(index: number): DocumentTree | undefined }
  /** A scalar as written: the text of a string, the literal of a number. */
  | { kind: 'scalar'; text: string }
  | { kind: 'null' }
  /** Something that has no one meaning, such as a key that is written twice. */
  | { kind: 'broken'; message: string }
);
