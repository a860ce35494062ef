import { RunError } from '../domain/runs/run-error.ts';
import { type LifecycleProduct, LifecycleReader } from '../domain/support/read-lifecycles.ts';
import { createPartCollector } from './collect-parts.ts';
import type { FoundDocument } from './found-document.ts';

export interface LifecycleDataInput {
  /** Host for error messages. */
  host: string;
}

/**
 * Reads the products of endoflife.date in the format of `/api/v1/products/full`. No part is yielded until all
 * products are read.
 */
export async function* readLifecycleData(
  { host }: LifecycleDataInput,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<LifecycleProduct[], FoundDocument, undefined> {
  const reader = new LifecycleReader();
  const decoder = new TextDecoder();
  for await (const piece of body) reader.feed(decoder.decode(piece, { stream: true }));
  const end = reader.end();
  if (!end.ok) {
    if (end.problem === 'too_large')
      throw new RunError('too_large', `A product in the end-of-support data of ${host} is too large.`);
    throw new RunError(
      'invalid_index',
      `Can't use the end-of-support data of ${host}: ${sentences[end.problem]}`,
    );
  }
  const { products, generatedAtMs } = end.lifecycles;
  const parts = createPartCollector<LifecycleProduct>();
  for (const product of products) {
    const full = parts.add(product);
    if (full) yield full;
  }
  const rest = parts.rest();
  if (rest.length > 0) yield rest;
  return { found: products.length, asOf: new Date(generatedAtMs).toISOString() };
}

const sentences = {
  not_json: "it isn't complete JSON.",
  no_products: 'it has no products.',
  no_date: "it doesn't say when it was generated (generated_at).",
  truncated: "it doesn't have as many products as it states (total).",
} as const;
