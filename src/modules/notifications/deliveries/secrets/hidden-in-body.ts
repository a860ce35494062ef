import type { PresetOptions } from '../../../../domain/templates/presets.ts';
import type { RenderedBody } from '../../../../domain/templates/render-body.ts';
import { type Found, findTokens, mergeSpans, type Spans } from './find-secrets.ts';

/**
 * What must not be seen of a body that we made: its acknowledge links, and what a preset wrote of its options.
 * Templates cannot read secrets. So nothing is searched for the secrets of the channel: who writes a template would
 * learn from what is masked whether a guess is right.
 */
export function hiddenInBody({ body, usedTemplate }: RenderedBody, options: PresetOptions): Spans {
  const found = usedTemplate === 'preset' ? findOptions(body, options) : [];
  return mergeSpans([...found, ...findTokens(body)]);
}

/** Presets write each option as a member of the same name: where its value is, whatever it is. */
function findOptions(body: string, options: PresetOptions): Found[] {
  const found: Found[] = [];
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
