import { PageHeader } from '../../ui/page-header.tsx';

export default function FleetItemPage() {
  return <PageHeader title="FleetItem" />;
}
