import { PageHeader } from '../../ui/page-header.tsx';

export default function SetUpPage() {
  return <PageHeader title="SetUp" />;
}
