import { normalizePurl } from '../artifacts/purl.ts';
import { toList, toObject, toText } from '../json/foreign-json.ts';
import { JsonElements, type JsonElementsProblem } from '../text/json-elements.ts';
import type { PhaseEnd, SupportLine } from './support-phases.ts';

/** A product of endoflife.date. */
export interface LifecycleProduct {
  readonly name: string;
  readonly label: string;
  /** Normalized package URLs, so that they can be compared with those of gather jobs. */
  readonly purls: readonly string[];
  /** Release lines in the order of the data, newest first. */
  readonly lines: readonly LifecycleLine[];
}

export interface LifecycleLine extends SupportLine {
  readonly isLts: boolean;
  readonly releasedOn: string | null;
  readonly latest: string | null;
}

export interface Lifecycles {
  /** Time when the data was generated, in milliseconds since 1970. */
  readonly generatedAtMs: number;
  readonly products: readonly LifecycleProduct[];
}

/**
 * Problem with the response of endoflife.date. `no_products`: it contains no products. `no_date`: it contains
 * no valid date, so the age of the data is unknown. `truncated`: it contains fewer products than its `total`
 * states.
 */
export type LifecyclesProblem = JsonElementsProblem | 'no_products' | 'no_date' | 'truncated';

/** Parses the response of `/api/v1/products/full` from endoflife.date in chunks. */
export class LifecycleReader {
  readonly #products = new Map<string, LifecycleProduct>();
  #count = 0;
  readonly #elements = new JsonElements('result', (element) => {
    this.#count++;
    const product = readProduct(element);
    if (product !== null && this.#products.size < maxProducts) this.#products.set(product.name, product);
  });

  feed(text: string): void {
    this.#elements.feed(text);
  }

  end():
    | { readonly ok: true; readonly lifecycles: Lifecycles }
    | { readonly ok: false; readonly problem: LifecyclesProblem } {
    const end = this.#elements.end();
    if (!end.ok) return end;
    const { generated_at: generatedAt, total, result } = toObject(end.document);
    if (!Array.isArray(result) || this.#products.size === 0) return { ok: false, problem: 'no_products' };
    if (typeof total === 'number' && total !== this.#count) return { ok: false, problem: 'truncated' };
    const generatedAtMs = typeof generatedAt === 'string' ? Date.parse(generatedAt) : Number.NaN;
    if (Number.isNaN(generatedAtMs)) return { ok: false, problem: 'no_date' };
    return { ok: true, lifecycles: { generatedAtMs, products: [...this.#products.values()] } };
  }
}

/** Limits for the data. In 2026, endoflife.date has 463 products, with up to 437 lines per product. */
const maxProducts = 10_000;
const maxLines = 2_000;
const maxPurls = 200;
const maxPurl = 1_000;
const maxText = 200;
const productName = /^[a-z0-9][a-z0-9._+-]{0,99}$/;

function readProduct(value: unknown): LifecycleProduct | null {
  const { name, label, identifiers, releases } = toObject(value);
  if (typeof name !== 'string' || !productName.test(name) || !Array.isArray(releases)) return null;
  const purls = toList(identifiers).flatMap((identifier) => {
    const { type, id } = toObject(identifier);
    const purl = type === 'purl' && typeof id === 'string' ? normalizePurl(id) : null;
    return purl === null || purl.length > maxPurl ? [] : [purl];
  });
  return {
    name,
    label: toShortText(label) ?? name,
    purls: [...new Set(purls)].slice(0, maxPurls),
    lines: releases.slice(0, maxLines).flatMap(readLine),
  };
}

function readLine(value: unknown): LifecycleLine[] {
  const release = toObject(value);
  const name = toShortText(release['name']);
  if (name === null) return [];
  return [
    {
      name,
      isLts: release['isLts'] === true,
      releasedOn: toShortText(release['releaseDate']),
      latest: toShortText(toObject(release['latest'])['name']),
      ends: {
        active_support: endOf(release['isEoas'], release['eoasFrom']),
        end_of_life: endOf(release['isEol'], release['eolFrom']),
        extended_support: endOf(release['isEoes'], release['eoesFrom']),
      },
    },
  ];
}

/** Returns `null` for text that is too long, or that contains NUL, which the database can't store. */
function toShortText(value: unknown): string | null {
  const text = toText(value);
  return text === null || text.length > maxText || text.includes('\0') ? null : text.toWellFormed();
}

/**
 * Returns the end of a phase. Prefers the day to the flag, because the flag was correct only when the data
 * was generated.
 */
function endOf(hasEnded: unknown, day: unknown): PhaseEnd {
  return toShortText(day) ?? (typeof hasEnded === 'boolean' ? hasEnded : null);
}
