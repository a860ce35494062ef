import { List, Text } from '@mantine/core';
import { silentReasonTexts, titleOfKind } from '../../../../src/domain/discovery/silent-files.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { type Column, RowsTable } from '../../components/list/index.ts';
import { Section } from '../../ui/facts.tsx';
import { countOf, formatCount } from '../../ui/format.ts';

type SilentFiles = Schemas['SilentFiles'];

const columns: readonly Column<SilentFiles>[] = [
  { header: 'Kind', cell: ({ kind }) => titleOfKind(kind), width: '12rem' },
  { header: 'Reason', cell: ({ reason }) => silentReasonTexts[reason], width: 'minmax(0, 2fr)' },
  { header: 'Files', cell: ({ count }) => formatCount(count), width: '5rem', align: 'end' },
  {
    header: 'Examples',
    cell: ({ examples }) => <span title={examples.join('\n')}>{examples.join(', ')}</span>,
    width: 'minmax(0, 2fr)',
    wideOnly: true,
  },
];

/** Lists the files in which the last scan found no versions, and the directories that it skipped. */
export function CoverageSection({ coverage }: { coverage: Schemas['DiscoveryCoverage'] }) {
  const { silent_files: silentFiles, skipped_directories: skipped, pattern_problems: problems } = coverage;
  if (silentFiles.length + problems.length === 0 && skipped.count === 0) return null;
  const unnamed = skipped.count - skipped.examples.length;
  return (
    <Section title="Files without versions">
      {silentFiles.length > 0 && (
        <RowsTable
          items={silentFiles}
          columns={columns}
          name="files without versions"
          rowKey={({ kind, reason }) => `${kind} ${reason}`}
        />
      )}
      {problems.length > 0 && (
        <>
          <Text size="sm" fw={600} mt="sm">
            Patterns that aren't used
          </Text>
          <List size="sm">
            {problems.map(({ file, name, message }) => (
              <List.Item key={`${file} ${name} ${message}`} style={{ overflowWrap: 'anywhere' }}>
                {[file, name, message].filter((part) => part !== '').join(': ')}
              </List.Item>
            ))}
          </List>
        </>
      )}
      {skipped.count > 0 && (
        <Text size="sm" c="var(--text-muted)" mt="sm" style={{ overflowWrap: 'anywhere' }}>
          Skipped {countOf(skipped.count, 'directory', 'directories')}: {skipped.examples.join(', ')}
          {unnamed > 0 && `, and ${formatCount(unnamed)} more`}
        </Text>
      )}
    </Section>
  );
}
