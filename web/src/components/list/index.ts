/** Lists of any length, with filters in the URL, sorting, and CSV download. */
export { ListFilters, type SelectFilter } from './list-filters.tsx';
export type { ListSearch } from './list-search.ts';
export { readRows } from './read-rows.ts';
export { type Column, ResourceList, type Selection } from './resource-list.tsx';
export { RowsTable, ShortList } from './short-list.tsx';
export { ShowMoreButton } from './show-more-button.tsx';
export { type List, useList } from './use-list.ts';
export { useSelection } from './use-selection.ts';
