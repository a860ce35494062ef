import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SoftwareDownloads } from './software-downloads.tsx';

test('the tooltip of each download names what the document contains', () => {
  const titlesWith = (label: string | undefined) => [
    ...renderToStaticMarkup(
      createElement(MantineProvider, null, createElement(SoftwareDownloads, { label })),
    ).matchAll(/title="([^"]*)"/g),
  ];
  expect(titlesWith(undefined).map(([, title]) => title)).toEqual([
    'All software',
    'Ignored vulnerabilities of all software',
  ]);
  expect(titlesWith('team=web').map(([, title]) => title)).toEqual([
    'All software with the label team=web',
    'Ignored vulnerabilities of all software with the label team=web',
  ]);
});
