import { Button, Skeleton, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { describeIncompleteComparison } from '../../../../src/domain/environments/cut-comparison.ts';
import { api } from '../../api/session.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { SeverityMark } from '../../components/severity.tsx';
import { SupportText } from '../../components/support/support-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { ElapsedTime } from '../../ui/relative-time.tsx';
import { CellPanel } from './cell-panel.tsx';
import type { Comparing } from './compare-dialog.tsx';
import { type Cell, describeCell, type MatrixRow, nameOf } from './describe-cell.ts';
import classes from './environment-matrix.module.css';

/** Number of rows fetched per page. */
const pageSize = 100;

interface Opened {
  row: MatrixRow;
  environment: string;
}

/**
 * Table with a row for each service and a column for each environment. A click on a cell opens its details.
 */
export function EnvironmentMatrix({
  environments,
  query,
  compare,
}: {
  environments: readonly string[];
  query: Readonly<Record<string, unknown>>;
  compare: (comparing: Comparing) => void;
}) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const read = useInfiniteQuery({
    queryKey: ['getEnvironmentMatrix', 'rows', query],
    queryFn: ({ pageParam: offset, signal }) =>
      api.call('getEnvironmentMatrix', { query: { ...query, limit: pageSize, offset }, signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const count = pages.reduce((sum, { items }) => sum + items.length, 0);
      return count < last.total && last.items.length > 0 ? count : undefined;
    },
    placeholderData: (previous) => previous,
  });
  if (!read.data)
    return read.error ? (
      <ErrorNotice error={read.error} retry={() => void read.refetch()} />
    ) : (
      <Skeleton height={240} role="status" aria-label="Loading" />
    );
  const rows = read.data.pages.flatMap(({ items }) => items);
  const shown = read.data.pages[0]?.environments ?? environments;
  const cuts = describeIncompleteComparison(
    read.data.pages[0]?.is_complete ?? true,
    rows,
    'version trackers',
  );
  const total = read.data.pages.at(-1)?.total ?? 0;
  if (rows.length === 0) {
    return environments.length === 0 ? <NoEnvironments /> : <Text c="var(--text-muted)">No matches</Text>;
  }
  return (
    <>
      {cuts.map((sentence) => (
        <Text key={sentence} size="sm" mb="xs" c="var(--text-muted)">
          {sentence}
        </Text>
      ))}
      <div className={classes.scroll}>
        <table className={classes.table} aria-label="Environments">
          <thead>
            <tr>
              <th scope="col">Service</th>
              {shown.map((environment) => (
                <th key={environment} scope="col">
                  {environment}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.service}\0${row.component}`}>
                <th scope="row">{nameOf(row)}</th>
                {row.cells.map((cell) => (
                  <td key={cell.environment}>
                    <CellButton
                      row={row}
                      cell={cell}
                      open={() => setOpened({ row, environment: cell.environment })}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {read.hasNextPage && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt="xs"
          loading={read.isFetchingNextPage}
          onClick={() => void read.fetchNextPage()}
        >
          Show more of {total.toLocaleString('en')}
        </Button>
      )}
      {opened && (
        <CellPanel
          row={rows.find((row) => nameOf(row) === nameOf(opened.row)) ?? opened.row}
          environment={opened.environment}
          compare={compare}
          close={() => setOpened(null)}
        />
      )}
    </>
  );
}

function CellButton({ row, cell, open }: { row: MatrixRow; cell: Cell; open: () => void }) {
  const text = describeCell(cell);
  if (cell.versions.length === 0) {
    return (
      <Text size="sm" c="var(--text-muted)" px="0.3rem" py="0.15rem">
        {text}
      </Text>
    );
  }
  return (
    <UnstyledButton className={classes.cell} data-relation={cell.relation} onClick={open}>
      <VisuallyHidden>
        Show {nameOf(row)} in {cell.environment}:{' '}
      </VisuallyHidden>
      {cell.versions.map(({ version, count, scrape_job_ids }) => (
        <Text key={version} component="span" display="block" size="sm" fw={500}>
          {version}
          {(count > 1 || cell.versions.length > 1) && (
            <Text span size="xs" c="var(--text-muted)">
              {` × ${count}`}
            </Text>
          )}
          <Text component="span" display="block" size="xs" fw={400} c="var(--text-muted)">
            <SupportText subject="scrape_job_ids" id={scrape_job_ids[0]!} />
          </Text>
        </Text>
      ))}
      {text !== null && (
        <Text component="span" display="block" size="xs" c="var(--text-muted)">
          {text}
          {cell.behind_since !== null && (
            <>
              {' for '}
              <ElapsedTime since={cell.behind_since} />
            </>
          )}
        </Text>
      )}
      {cell.severity !== null && <SeverityMark severity={cell.severity} />}
    </UnstyledButton>
  );
}

function NoEnvironments() {
  return (
    <EmptyState
      title="No environments yet"
      action={<ButtonLink to="/scrape-jobs">View version trackers</ButtonLink>}
    >
      Add the labels service and environment to your version trackers to compare deployed versions across
      environments.
    </EmptyState>
  );
}
