import type { PresetOptions } from '../../../../domain/templates/presets.ts';
import type { RenderedBody } from '../../../../domain/templates/render-body.ts';
import { findAcknowledgeTokenSpans, mergeSpans, type SecretSpan, type Spans } from './find-secrets.ts';

/**
 * Returns the parts of a rendered body to mask: acknowledge tokens, and options that a preset wrote.
 * Templates can't read secrets, so the body isn't searched for the secrets of the channel. Such a search
 * would let template authors test guesses by checking which text is masked.
 */
export function findSpansToMask({ body, usedTemplate }: RenderedBody, options: PresetOptions): Spans {
  const found = usedTemplate === 'preset' ? findOptions(body, options) : [];
  return mergeSpans([...found, ...findAcknowledgeTokenSpans(body)]);
}

/**
 * Finds the options of a preset. Presets write each option as a field with the same name, so the position
 * doesn't depend on the value.
 */
function findOptions(body: string, options: PresetOptions): SecretSpan[] {
  const found: SecretSpan[] = [];
  const members = Object.entries(JSON.parse(body) as Record<string, unknown>);
  let text = '{';
  for (const [index, [name, member]] of members.entries()) {
    text += `${index === 0 ? '' : ','}${JSON.stringify(name)}:`;
    const value = JSON.stringify(member);
    const quote = typeof member === 'string' ? 1 : 0;
    if (Object.hasOwn(options, name)) found.push([text.length + quote, value.length - 2 * quote]);
    text += value;
  }
  return `${text}}` === body ? found : [[0, body.length]];
}
