/**
 * In place of the theme's composables/langs.js: its switch of languages leads to the same path in the other folder, or always to the first
 * page. Ours leads to the page's counterpart, which its front matter names, and to the first page where there is none.
 */
import { useData } from 'vitepress';
import { computed } from 'vue';

export function useLangs() {
  const { site, localeIndex, frontmatter } = useData();
  const linkOf = (key) => (key === 'root' ? '/' : `/${key}/`);
  const currentLang = computed(() => ({
    label: site.value.locales[localeIndex.value]?.label,
    link: linkOf(localeIndex.value),
  }));
  const localeLinks = computed(() =>
    Object.entries(site.value.locales)
      .filter(([key]) => key !== localeIndex.value)
      .map(([key, { label }]) => ({ text: label, link: frontmatter.value.counterpart ?? linkOf(key) })),
  );
  return { localeLinks, currentLang };
}
