import { Button, Skeleton, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { describeIncompleteComparison } from '../../../../src/domain/environments/incomplete-comparison.ts';
import { productionEnvironments } from '../../../../src/domain/environments/order-environments.ts';
import { api } from '../../api/session.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useSupport } from '../../components/support/use-support.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { useNow } from '../../ui/relative-time.tsx';
import { CellHint, useHint } from './cell-hint.tsx';
import { CellPanel } from './cell-panel.tsx';
import type { Comparing } from './compare-dialog.tsx';
import {
  type Cell,
  cellSentences,
  describeLag,
  describeSupportMark,
  latestOf,
  type MatrixRow,
  nameOf,
} from './describe-cell.ts';
import classes from './environment-matrix.module.css';

/** Number of rows fetched per page. */
const pageSize = 100;

interface Opened {
  row: MatrixRow;
  environment: string;
}

/**
 * Heat map with a row for each service and a column for each environment. The color and the number of a cell
 * show how far it is behind upstream. Hovering over a cell or focusing it shows the same information in
 * sentences, and a click opens its details.
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
  const { hint, show, hide } = useHint();
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
  // In a narrow window, production stays visible while the other environments scroll.
  const kept = productionEnvironments(shown, shown).at(-1);
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
      <Legend />
      <div className={classes.scroll}>
        <table className={classes.table} aria-label="Environments">
          <thead>
            <tr>
              <th scope="col">Service</th>
              <th scope="col" className={classes.latest}>
                Latest
              </th>
              {shown.map((environment) => (
                <th key={environment} scope="col" data-kept={environment === kept || undefined}>
                  {environment}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.service}\0${row.component}`}>
                <th scope="row" title={nameOf(row)}>
                  {nameOf(row)}
                </th>
                <td className={classes.latest}>{latestOf(row) ?? '—'}</td>
                {row.cells.map((cell) => (
                  <td
                    key={cell.environment}
                    data-heat={describeLag(cell).heat ?? undefined}
                    data-kept={cell.environment === kept || undefined}
                  >
                    <CellButton
                      row={row}
                      cell={cell}
                      show={show}
                      hide={hide}
                      open={() => setOpened({ row, environment: cell.environment })}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {hint && <CellHint hint={hint} />}
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

const driftMarks: Partial<Record<Cell['relation'], string>> = { behind: '‹', ahead: '›', different: '≠' };

function CellButton({
  row,
  cell,
  open,
  show,
  hide,
}: {
  row: MatrixRow;
  cell: Cell;
  open: () => void;
  show: (element: Element, sentences: readonly string[]) => void;
  hide: () => void;
}) {
  const [lowest, ...others] = cell.versions;
  const support = useSupport('scrape_job_ids', lowest?.scrape_job_ids[0]);
  const now = useNow();
  if (lowest === undefined)
    return (
      <Text span className={classes.missing} title="No version is known">
        missing
      </Text>
    );
  const sentences = cellSentences(cell, support, now);
  const { lag } = describeLag(cell);
  const supportMark = support === undefined ? null : describeSupportMark(support);
  const showHint = ({ currentTarget }: { currentTarget: Element }) => show(currentTarget, sentences);
  return (
    <UnstyledButton
      className={classes.cell}
      onClick={() => {
        hide();
        open();
      }}
      onMouseEnter={showHint}
      onMouseLeave={hide}
      onFocus={showHint}
      onBlur={hide}
    >
      <VisuallyHidden>
        Show {nameOf(row)} in {cell.environment}: {sentences.join(' ')}
      </VisuallyHidden>
      <span className={classes.version} aria-hidden>
        {lowest.version}
        {others.length > 0 && ` +${others.length}`}
      </span>
      <span className={classes.marks} aria-hidden>
        {supportMark !== null && (
          <span className={classes.support}>
            EOL{supportMark !== '' && <span className={classes.daysLeft}> {supportMark}</span>}
          </span>
        )}
        {driftMarks[cell.relation] !== undefined && (
          <span className={classes.drift}>{driftMarks[cell.relation]}</span>
        )}
        {lag !== null && <span className={classes.lag}>{lag}</span>}
      </span>
    </UnstyledButton>
  );
}

const legend = [
  ['ok', 'latest'],
  ['behind', 'within the rules'],
  ['moderate', 'moderate'],
  ['high', 'high'],
  ['critical', 'critical'],
  ['unknown', 'unknown'],
] as const;

function Legend() {
  return (
    <p className={classes.legend}>
      <span>−3: newer releases upstream</span>
      {legend.map(([heat, name]) => (
        <span key={heat}>
          <span className={classes.swatch} data-heat={heat} aria-hidden /> {name}
        </span>
      ))}
      <span>‹ behind the environment before</span>
      <span>EOL: end of support</span>
    </p>
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
