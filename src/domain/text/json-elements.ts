/** Reason why a document can't be parsed. */
export type JsonElementsProblem = 'not_json' | 'too_large';

/** Maximum length of an element, and of the document without its elements, in characters. */
const maxLength = 4_000_000;
/** Maximum length of a field name with its quotation marks, colon, and white space, in characters. */
const maxFieldNameLength = 100;

/**
 * Extracts the objects of one array from a JSON document while the document is being received, such as those
 * of `result` in `{"result": [{…}, {…}]}`. Only one element is in memory at a time.
 */
export class JsonElements {
  readonly #member: RegExp;
  readonly #take: (element: unknown) => void;
  #problem: JsonElementsProblem | null = null;
  #depth = 0;
  #isString = false;
  #isEscaped = false;
  #isList = false;
  #isElement = false;
  #element = '';
  #remainder = '';

  /** @param name Name of the field that contains the array. Consists only of letters. */
  constructor(name: string, take: (element: unknown) => void) {
    this.#member = new RegExp(`"${name}"\\s*:\\s*$`);
    this.#take = take;
  }

  /** Processes the next part of the document. */
  feed(text: string): void {
    if (this.#problem !== null) return;
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const character = text[at];
      if (this.#isString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (character === '\\') this.#isEscaped = true;
        else if (character === '"') this.#isString = false;
      } else if (character === '"') this.#isString = true;
      else if (character === '{' || character === '[') {
        if (this.#depth === 1) this.#isList = character === '[' && this.#isMember(text.slice(start, at));
        if (character === '{' && this.#depth === 2 && this.#isList) {
          this.#remainder += text.slice(start, at);
          start = at;
          this.#isElement = true;
        }
        this.#depth++;
      } else if (character === '}' || character === ']') {
        this.#depth--;
        if (this.#isElement && this.#depth === 2) {
          this.#element += text.slice(start, at + 1);
          start = at + 1;
          this.#finishElement();
        }
      } else if (character === ',' && this.#depth === 2 && this.#isList && !this.#isElement) {
        this.#remainder += text.slice(start, at);
        start = at + 1;
      }
    }
    if (this.#isElement) this.#element += text.slice(start);
    else this.#remainder += text.slice(start);
    if (Math.max(this.#element.length, this.#remainder.length) > maxLength) this.#problem ??= 'too_large';
  }

  /** Ends the document, and returns it with the extracted elements removed. */
  end():
    | { readonly ok: true; readonly document: unknown }
    | { readonly ok: false; readonly problem: JsonElementsProblem } {
    const document = this.#isElement ? undefined : parse(this.#remainder);
    if (document === undefined) this.#problem ??= 'not_json';
    return this.#problem === null ? { ok: true, document } : { ok: false, problem: this.#problem };
  }

  #isMember(before: string): boolean {
    return this.#member.test(
      (this.#remainder.slice(-maxFieldNameLength) + before.slice(-maxFieldNameLength)).slice(
        -maxFieldNameLength,
      ),
    );
  }

  #finishElement(): void {
    const element = parse(this.#element);
    this.#element = '';
    this.#isElement = false;
    if (element === undefined) this.#problem ??= 'not_json';
    else this.#take(element);
  }
}

/** Parses JSON. Returns `undefined` if the text isn't valid JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
