import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';
import { testDataPath } from './test-data.ts';

export interface RealLine {
  readonly releaseCycle: string;
  readonly releaseDate?: string;
  readonly lts?: boolean | string;
  readonly eol?: string | boolean;
  readonly support?: string | boolean;
  readonly latest?: string;
}

export interface RealProduct {
  readonly product: string;
  readonly title: string;
  readonly identifiers: readonly (readonly [type: string, id: string])[];
  readonly releases: readonly RealLine[];
}

/** Reads the products of endoflife.date, in the format of its repository. */
export function readRealProducts(): RealProduct[] {
  const rows = readFileSync(testDataPath('release-history/endoflife-products.jsonl'), 'utf8')
    .trim()
    .split('\n');
  return rows.slice(1).map((row) => JSON.parse(row));
}

/**
 * Writes a file in the format of `/api/v1/products/full`.
 * @returns The path of the file.
 */
export function writeLifecycleFile(products: readonly RealProduct[], generatedAt: string): string {
  const file = path.join(temporaryFolder(), 'products.json');
  writeFileSync(file, JSON.stringify(toApi(products, generatedAt)));
  return file;
}

function toApi(products: readonly RealProduct[], generatedAt: string): object {
  const result = products.map(({ product, title, identifiers, releases }) => ({
    name: product,
    label: title,
    identifiers: identifiers.map(([type, id]) => ({ type, id })),
    releases: releases.map((line) => ({
      name: line.releaseCycle,
      releaseDate: line.releaseDate ?? null,
      isLts: line.lts !== undefined && line.lts !== false,
      ...ended('Eoas', line.support),
      ...ended('Eol', line.eol),
      latest: { name: line.latest },
    })),
  }));
  return { schema_version: '1.2.0', generated_at: generatedAt, total: result.length, result };
}

/** Returns the two fields of a phase, such as `isEol` and `eolFrom`. */
function ended(phase: string, end: string | boolean | undefined): object {
  const from = phase.charAt(0).toLowerCase() + phase.slice(1);
  if (typeof end === 'string') return { [`is${phase}`]: end < '2026-11-20', [`${from}From`]: end };
  return { [`is${phase}`]: end ?? null };
}
