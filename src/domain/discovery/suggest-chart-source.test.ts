import { describe, expect, test } from 'vitest';
import { type ChartEvidence, maxCandidates, suggestChartSource } from './suggest-chart-source.ts';

const release = { version: '1.2.0', projectUrl: null };

function job(repository: string, versions: string[] = [], projectUrl: string | null = null): ChartEvidence {
  return {
    source_type: 'helm_repository',
    artifact_name: `${repository}/redis`,
    source_options: {},
    by: 'job',
    item: null,
    isCertain: false,
    projectUrl,
    versions: new Map(versions.map((version) => [version, ''])),
  };
}

function item(repository: string, version: string, isCertain = true): ChartEvidence {
  const place = `HelmRelease ${version}`;
  return {
    ...job(repository),
    by: 'item',
    item: place,
    isCertain,
    versions: new Map([[version, place]]),
  };
}

/** Returns the suggested repository and its confidence. */
function suggest(evidence: ChartEvidence[], chart = release as Parameters<typeof suggestChartSource>[0]) {
  const { suggestion } = suggestChartSource(chart, evidence);
  return suggestion && `${suggestion.artifact_name.replace('/redis', '')}: ${suggestion.confidence}`;
}

describe('the suggested repository of a chart', () => {
  test.each<[string, ChartEvidence[], string | null]>([
    ['nothing is known', [], null],
    ['only the chart name matches', [job('a', ['1.0.0'])], null],
    ['one repository lists the version', [job('a', ['1.2.0']), job('b')], 'a: likely'],
    ['two repositories list the version', [job('a', ['1.2.0']), job('b', ['1.2.0'])], null],
    ['an item uses the repository with another version', [item('a', '1.0.0')], 'a: likely'],
    ['an item uses the repository with this version', [item('a', '1.2.0')], 'a: certain'],
    ['an uncertain item uses the repository with this version', [item('a', '1.2.0', false)], 'a: likely'],
    [
      'an item uses one repository and another repository lists the version',
      [item('a', '1.2.0'), job('b', ['1.2.0'])],
      'a: likely',
    ],
    ['items use two repositories with this version', [item('a', '1.2.0'), item('b', '1.2.0')], null],
    [
      'items use two repositories, only one of them with this version',
      [item('a', '1.1.0'), item('b', '1.2.0')],
      'b: likely',
    ],
    ['an item and a job name the same repository', [item('a', '1.2.0'), job('A', ['1.2.0'])], 'a: certain'],
  ])('is correct if %s', (_, evidence, expected) => {
    expect(suggest(evidence)).toBe(expected);
  });

  test('belongs to the same project if the chart specifies a project', () => {
    const chart = { version: '1.2.0', projectUrl: 'https://github.com/acme/redis' };
    const same = job('a', ['1.2.0'], 'https://github.com/Acme/redis');
    const other = job('b', ['1.2.0'], 'https://github.com/other/redis');
    const silent = job('c', ['1.2.0']);
    expect(suggest([same, other, silent], chart)).toBe('a: likely');
    expect(suggest([other], chart)).toBeNull();
    expect(suggest([other, silent], chart)).toBe('c: likely');
    expect(suggest([other], release)).toBe('b: likely');
  });

  test('is null for a chart with an unknown version, unless an item uses a repository', () => {
    const chart = { version: null, projectUrl: null };
    expect(suggest([job('a', ['1.2.0'])], chart)).toBeNull();
    expect(suggest([item('a', '1.2.0')], chart)).toBe('a: likely');
  });
});

test('repositories of accepted items come first, regardless of how many other repositories the files contain', () => {
  const named = Array.from({ length: 20 }, (_, at) => item(`a${at}`, '1.2.0', false));
  const { suggestion, candidates } = suggestChartSource(release, [...named, item('trusted', '1.0.0')]);
  expect(candidates[0]?.artifact_name).toBe('trusted/redis');
  expect(suggestion).toMatchObject({ artifact_name: 'trusted/redis', confidence: 'likely' });
  expect(candidates).toHaveLength(maxCandidates);
});

test('the best candidates come first, each with its reason', () => {
  const { candidates } = suggestChartSource(release, [
    ...Array.from({ length: 10 }, (_, at) => job(`name-${at}`)),
    job('listed', ['1.2.0']),
    item('used', '1.1.0'),
  ]);
  expect(candidates).toHaveLength(maxCandidates);
  expect(
    candidates.slice(0, 3).map(({ artifact_name, confidence, why }) => [artifact_name, confidence, why]),
  ).toEqual([
    ['used/redis', 'likely', 'used by HelmRelease 1.1.0'],
    ['listed/redis', 'likely', 'lists this version'],
    ['name-0/redis', 'none', "lists the chart, but this version wasn't found"],
  ]);
});
