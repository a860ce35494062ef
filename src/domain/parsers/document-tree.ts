/**
 * A parsed document against which a path can be resolved. The document is read lazily, and only along the
 * path. YAML and JSON both implement this interface, so path resolution and its error messages are the same
 * for both.
 */
export type DocumentTree = {
  /** Start of the node in the text, in UTF-16 units. JSON nodes don't have an offset. */
  offset?: number;
} & (
  | {
      kind: 'map' /** Keys as written, in document order. */;
      keys(): string[] /** Returns `undefined` if the key doesn't exist. */;
      get(key: string): DocumentTree | undefined;
      /**
       * Returns all keys with their values in one pass. Each key appears once, including keys from merged
       * maps.
       */
      entries(): Iterable<[key: string, value: DocumentTree]>;
    }
  | { kind: 'list'; length: number; at(index: number): DocumentTree | undefined }
  /** A scalar as written: the text of a string, the literal of a number. */
  | { kind: 'scalar'; text: string }
  | { kind: 'null' }
  /** A node without one clear meaning, such as a duplicate key. */
  | { kind: 'broken'; message: string }
);
