/**
 * What a path is walked over: a parsed document, read lazily and only where the path leads. YAML and JSON each give
 * their own view, so that walking, and what it says of trouble, is the same for both.
 */
export type DocumentTree =
  | {
      kind: 'map' /** As written, in order. */;
      keys(): string[] /** `undefined` when the key is not there. */;
      get(key: string): DocumentTree | undefined;
    }
  | { kind: 'list'; length: number; at(index: number): DocumentTree | undefined }
  /** A scalar as written: the text of a string, the literal of a number. */
  | { kind: 'scalar'; text: string }
  | { kind: 'null' }
  /** Something that has no one meaning, such as a key that is written twice. */
  | { kind: 'broken'; message: string };
