import type { PresetOptions } from '../../../domain/templates/presets.ts';
import { acknowledgeTokenPattern } from './acknowledge-link.ts';

const mask = '…';

/** A body without the links by which anybody could acknowledge. */
export function maskAcknowledgeLinks(body: string): string {
  return body.replaceAll(acknowledgeTokenPattern, mask);
}

/**
 * A body that a preset made, without the values of its options: wherever one of them is a whole value of the
 * JSON. Templates cannot read options, so that other bodies have none of them.
 */
export function maskPresetOptions(body: string, options: PresetOptions): string {
  const values = new Set(Object.values(options));
  if (values.size === 0) return body;
  try {
    const masked: unknown = JSON.parse(body, (_name, value: unknown) =>
      (typeof value === 'string' || typeof value === 'number') && values.has(String(value)) ? mask : value,
    );
    return JSON.stringify(masked);
  } catch {
    return body;
  }
}
