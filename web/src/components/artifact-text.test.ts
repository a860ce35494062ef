import { expect, test } from 'vitest';
import { artifactText } from './artifact-text.ts';

test.each([
  ['github.com/argoproj/argo-cd', 'github.com/argoproj/argo-cd'],
  ['scrape-job/169', 'version tracker 169'],
  ['scrape-job/x', 'scrape-job/x'],
])('the artifact %s is shown as %s', (artifactName, text) => {
  expect(artifactText(artifactName)).toBe(text);
});
