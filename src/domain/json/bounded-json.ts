import { countValues, type JsonLimits } from './count-values.ts';

export type BoundedJson = { ok: true; value: unknown } | { ok: false; problem: 'invalid' | 'too_complex' };

/**
 * Parses untrusted JSON. Checks the number of values and the depth first, because parsing 4 MiB can take 350
 * ms, while counting takes 5 ms. Never throws.
 */
export function parseBoundedJson(json: Uint8Array | string, limits: JsonLimits): BoundedJson {
  const bytes = typeof json === 'string' ? new TextEncoder().encode(json) : json;
  if (countValues(bytes, limits).exceeded !== null) return { ok: false, problem: 'too_complex' };
  try {
    const value: unknown = JSON.parse(typeof json === 'string' ? json : new TextDecoder().decode(json));
    return { ok: true, value };
  } catch {
    return { ok: false, problem: 'invalid' };
  }
}
