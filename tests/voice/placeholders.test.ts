import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const webSource = fileURLToPath(new URL('../../web/src', import.meta.url));

/** Elements into which users type, so that a placeholder can be taken for a value that they typed. */
const textFields = /^(TextInput|NumberInput|PasswordInput|Autocomplete|TagsInput|Textarea)$/;

/** Returns the placeholders of a component file that readers could take for values. */
function valuesIn(code: string): string[] {
  return [...code.matchAll(/\bplaceholder=(?:"([^"]*)"|\{[^{}]*\})/g)].flatMap((found) => {
    const element =
      code
        .slice(0, found.index)
        .match(/<[A-Z]\w+/g)
        ?.at(-1)
        ?.slice(1) ?? '';
    if (!textFields.test(element)) return [];
    const texts =
      found[1] === undefined ? [...found[0].matchAll(/'([^']*)'/g)].map(([, text]) => text!) : [found[1]];
    return texts.filter((text) => /[/@*\d\\]|\w\.\w|^(None|Never|Off)$/.test(text));
  });
}

test('placeholders of text fields never look like values', () => {
  const found = globSync('**/*.tsx', { cwd: webSource }).flatMap((file) =>
    valuesIn(readFileSync(`${webSource}/${file}`, 'utf8')).map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ['<TextInput placeholder="ana@example.org" />', ['ana@example.org']],
  ["<TagsInput placeholder={tags.length === 0 ? 'cert-manager*' : undefined} />", ['cert-manager*']],
  ['<Autocomplete placeholder="None" />', ['None']],
  ['<TextInput placeholder="Name" />', []],
  ['<Select placeholder="None" />', []],
])('the placeholders of %s that look like values are %j', (code, values) => {
  expect(valuesIn(code)).toEqual(values);
});
