import { Alert, Button, List, Text } from '@mantine/core';
import { jumpSentence } from '../../../../src/domain/explanations/explanation-sentences.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { type Column, RowsTable } from '../../components/list/index.ts';
import { VersionText } from '../../components/version-text.tsx';
import { Mark } from '../../ui/mark.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { previewSentences } from './preview-sentences.ts';

type Preview = Schemas['PreviewGatherJobResponse'];
type Line = Preview['lines'][number];

const columns: readonly Column<Line>[] = [
  {
    header: 'Line',
    cell: ({ line }) =>
      line || (
        <Text span inherit c="var(--text-muted)">
          no name
        </Text>
      ),
  },
  {
    header: 'Variant',
    cell: ({ variant }) =>
      variant || (
        <Text span inherit c="var(--text-muted)">
          none
        </Text>
      ),
  },
  { header: 'Releases', cell: ({ count }) => count.toLocaleString('en'), width: '5.5rem' },
  { header: 'Latest', cell: ({ latest }) => <VersionText version={latest.version} /> },
];

/** Additional columns for wide layouts. */
const moreColumns: readonly Column<Line>[] = [
  {
    header: 'Released',
    cell: ({ latest }) => <RelativeTime at={latest.released_at} none="unknown" />,
    width: '8rem',
    wideOnly: true,
  },
  {
    header: 'Compared',
    cell: ({ is_compared }) => is_compared && <Mark tone="ok">Compared</Mark>,
    width: '7rem',
  },
];

/**
 * Lists the lines and variants of a gather job's releases, and marks the one that is compared.
 * @param isInForm True if the table is in a form, which has less space.
 * @param onFollow Called with a tag, to keep only similar tags. Without it, the table has no button for this.
 */
export function LinesTable({
  preview,
  deployedVersion = null,
  isInForm = false,
  onFollow,
}: {
  preview: Preview;
  deployedVersion?: string | null;
  isInForm?: boolean;
  onFollow?: ((tag: string) => void) | undefined;
}) {
  const jump = jumpSentence(preview, 'in monitors');
  const following: Column<Line> = {
    header: 'Filter',
    cell: ({ latest }) => (
      <Button
        variant="default"
        size="compact-xs"
        aria-label={`Only tags like this: ${latest.version}`}
        onClick={() => onFollow?.(latest.version)}
      >
        Only tags like this
      </Button>
    ),
    width: '10rem',
  };
  return (
    <>
      {jump !== null && (
        <Alert variant="outline" color="var(--severity-moderate)" mb="sm" title="Unusual jump">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {jump}
          </Text>
        </Alert>
      )}
      <List size="sm" spacing={4} mb="sm">
        {previewSentences(preview, deployedVersion).map((sentence) => (
          <List.Item key={sentence} style={{ overflowWrap: 'anywhere' }}>
            {sentence}
          </List.Item>
        ))}
      </List>
      {preview.lines.length > 0 && (
        <RowsTable
          items={preview.lines}
          columns={[...columns, ...(isInForm ? [] : moreColumns), ...(onFollow ? [following] : [])]}
          name="lines and variants"
          rowKey={({ line, variant }) => `${line}/${variant}`}
        />
      )}
      {preview.line_count > preview.lines.length && (
        <Text size="xs" mt="xs" c="var(--text-muted)">
          {preview.lines.length} of {preview.line_count.toLocaleString('en')} lines and variants.
        </Text>
      )}
    </>
  );
}
