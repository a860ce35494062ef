/** Lists: filters in the address, any length, sorting, download. */
export { ListFilters } from './list-filters.tsx';
export { type Column, ResourceList, type Selection } from './resource-list.tsx';
export { ShortList } from './short-list.tsx';
export { useList } from './use-list.ts';
