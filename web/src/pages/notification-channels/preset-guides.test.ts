import { expect, test } from 'vitest';
import { presets } from '../../../../src/domain/templates/presets.ts';
import { presetList } from '../../components/preset-name.ts';
import { presetGuides } from './preset-guides.ts';

test('the form asks for exactly the options that each platform has, and hides the secret ones', () => {
  const asked = presetList.map((preset) => [
    preset,
    presetGuides[preset].options.map(({ name, isRequired, isSecret }) => ({ name, isRequired, isSecret })),
  ]);
  const known = Object.values(presets).map(({ id, options }) => [
    id,
    options.map(({ name, isRequired, isSecret }) => ({ name, isRequired, isSecret })),
  ]);
  expect(Object.fromEntries(asked)).toEqual(Object.fromEntries(known));
});
