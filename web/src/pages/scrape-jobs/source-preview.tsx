import { Button, Code, Stack, Table, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ownValue } from '../../../../src/domain/json/own-value.ts';
import { formatSeries, varyingLabels } from '../../../../src/domain/prometheus/prometheus-series.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { api } from '../../api/session.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Mark } from '../../ui/mark.tsx';

type Request = Schemas['PreviewScrapeSourceRequest'];
type Preview = Schemas['PreviewScrapeSourceResponse'];

/** Maximum number of series listed. */
const maxShown = 20;

/**
 * Tests a URL and shows the version that it returns, or the error.
 * @param choose Receives the labels of the selected series.
 */
export function SourcePreview({
  tried,
  choose,
  onVersion,
}: {
  tried: Request;
  choose: (series: Record<string, string>) => void;
  onVersion?: ((version: string) => void) | undefined;
}) {
  const tested = JSON.stringify(tried);
  const trial = useMutation({
    mutationFn: async () => ({ tested, preview: await api.call('previewScrapeSource', { body: tried }) }),
    onSuccess: ({ preview }) => preview.version !== null && onVersion?.(preview.version),
  });
  const isIncomplete =
    tried.url.trim() === '' || (tried.source === 'http' ? tried.parse_expression == null : !tried.query);
  const preview = trial.data?.tested === tested ? trial.data.preview : null;
  return (
    <Stack gap={6}>
      <Button
        variant="default"
        size="xs"
        w="fit-content"
        loading={trial.isPending}
        disabled={isIncomplete}
        onClick={() => trial.mutate()}
      >
        Test
      </Button>
      <Text size="xs" c="var(--text-muted)">
        The server sends one request, without the credential. It can't reach addresses that only your agents
        reach.
      </Text>
      <Text component="div" size="sm" aria-live="polite" style={{ overflowWrap: 'anywhere' }}>
        {trial.error && <ErrorNotice error={trial.error} />}
        {preview && <Result preview={preview} />}
      </Text>
      {preview && preview.series.length > 1 && (
        <SeriesTable preview={preview} label={tried.label ?? ''} choose={choose} />
      )}
    </Stack>
  );
}

function Result({ preview }: { preview: Preview }) {
  if (!preview.found)
    return (
      <>
        <Mark tone="critical">No version found</Mark> {preview.error?.message}
      </>
    );
  return (
    <>
      <Mark tone="ok">Found</Mark> <Code>{preview.version}</Code>
      {preview.raw_version !== preview.version && (
        <>
          {' '}
          from <Code>{preview.raw_version}</Code>
        </>
      )}
    </>
  );
}

/** Lists the series with the labels that distinguish them. */
function SeriesTable({
  preview,
  label,
  choose,
}: {
  preview: Preview;
  label: string;
  choose: (series: Record<string, string>) => void;
}) {
  const distinguishing = varyingLabels(preview.series).filter((name) => name !== label);
  return (
    <Table fz="sm">
      <Table.Caption>
        {preview.series_count.toLocaleString('en')} series
        {preview.series_count > maxShown && `, the first ${maxShown} shown`}
      </Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Series</Table.Th>
          <Table.Th>Version</Table.Th>
          <Table.Th aria-label="Actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {preview.series.slice(0, maxShown).map((series) => {
          const chosen = Object.fromEntries(
            distinguishing.filter((name) => Object.hasOwn(series, name)).map((name) => [name, series[name]!]),
          );
          const text = formatSeries(chosen);
          return (
            <Table.Tr key={JSON.stringify(series)}>
              <Table.Td>
                <Code>{text}</Code>
              </Table.Td>
              <Table.Td>{ownValue(series, label) ?? ''}</Table.Td>
              <Table.Td>
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`Choose ${text}`}
                  onClick={() => choose(chosen)}
                >
                  Choose
                </Button>
              </Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}
