/**
 * VitePress's configuration, made from the list of pages: its sections are the sidebar. Loaded by the build from the folder where the
 * pages are staged, see stage.ts.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DefaultTheme, UserConfig } from 'vitepress';
import { CHINESE, contents, counterpartOf, isChinese, type Section } from './contents.ts';
import { addressOf, idOf, readPage } from './page.ts';
import { sourceLinks } from './source-links.ts';

const ROOT = path.join(import.meta.dirname, '../..');

/** Where the project's files can be seen, if that is known. */
const repository = process.env.MILLPOND_SITE_REPOSITORY;
const pages = new Set(contents.flatMap((section) => section.pages));

const english = contents.filter((section) => !isInChinese(section));
const chinese = contents.filter(isInChinese);

const config: UserConfig<DefaultTheme.Config> = {
  title: 'Millpond',
  description: 'Self-hosted object storage, media processing, accounts and events behind one interface',
  base: process.env.MILLPOND_SITE_BASE ?? '/',
  // Pages are files, so that any static server has them.
  cleanUrls: false,
  lastUpdated: false,
  locales: {
    root: { label: 'English', lang: 'en' },
    [CHINESE]: { label: '简体中文', lang: 'zh-CN', themeConfig: chineseTheme(chinese) },
  },
  markdown: {
    // HTML in a page is shown as text.
    html: false,
    // The addresses of headings that links are checked against.
    anchor: { slugify: idOf },
    config: (markdown) => sourceLinks(markdown, { pages, repository }),
  },
  transformPageData: ({ relativePath, frontmatter }) => {
    const page = relativePath.replace(/index\.md$/, 'README.md');
    const other = counterpartOf(page, pages);
    return {
      frontmatter: {
        ...frontmatter,
        edit: `${repository}/edit/main/${page}`,
        ...(other !== undefined && { counterpart: `/${addressOf(other).replace(/index\.html$/, '')}` }),
      },
    };
  },
  vite: {
    build: { chunkSizeWarningLimit: 4096 },
    // stage.ts puts it there.
    resolve: {
      alias: [
        {
          find: /^.*\/composables\/langs(?:\.js)?$/,
          replacement: path.join(ROOT, '.build/site/.vitepress/theme/langs.mjs'),
        },
      ],
    },
  },
  themeConfig: {
    nav: [
      { text: 'First upload', link: '/docs/first-upload.html' },
      { text: 'Guides', link: '/docs/index.html' },
      { text: 'Operate', link: '/docs/production.html' },
      { text: 'Reference', link: '/docs/reference/calls.html' },
    ],
    sidebar: { '/': sidebarOf(english), [`/${CHINESE}/`]: sidebarOf(chinese) },
    outline: [2, 3],
    ...(repository !== undefined && { editLink: editLink('Edit this page') }),
    search: { provider: 'local', options: searchOptions() },
  },
};

export default config;

function isInChinese({ pages: listed }: Section): boolean {
  return listed.every(isChinese);
}

function sidebarOf(sections: readonly Section[]): DefaultTheme.SidebarItem[] {
  return sections.map(({ title, pages: listed, listsItself = false }) => ({
    text: title,
    collapsed: listsItself,
    items: listed.map((page) => ({ text: titleOf(page), link: `/${addressOf(page)}` })),
  }));
}

function titleOf(page: string): string {
  return readPage(readFileSync(path.join(ROOT, page), 'utf8')).title;
}

/** The function runs in the browser, and may use nothing from around it. */
function editLink(text: string): DefaultTheme.EditLink {
  return { text, pattern: ({ frontmatter }) => String(frontmatter.edit) };
}

function chineseTheme(sections: readonly Section[]): DefaultTheme.Config {
  return {
    nav: [{ text: 'English', link: '/' }],
    sidebar: sidebarOf(sections),
    outline: { level: [2, 3], label: '本页内容' },
    docFooter: { prev: '上一页', next: '下一页' },
    darkModeSwitchLabel: '外观',
    sidebarMenuLabel: '目录',
    returnToTopLabel: '回到顶部',
    langMenuLabel: '语言',
    ...(repository !== undefined && { editLink: editLink('编辑本页') }),
  };
}

/** Functions in here run in the browser too, and may use nothing from around them. */
function searchOptions(): DefaultTheme.LocalSearchOptions {
  return {
    locales: {
      [CHINESE]: {
        translations: {
          button: { buttonText: '搜索' },
          modal: {
            noResultsText: '没有找到',
            resetButtonTitle: '清除',
            footer: { selectText: '选择', navigateText: '移动', closeText: '关闭' },
          },
        },
      },
    },
    miniSearch: {
      options: {
        // Words, and of names such as MILLPOND_DRAIN_DELAY and cache-control also the whole. Chinese has no spaces between words.
        tokenize: (text) => {
          const names = text.match(/[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)+/gu) ?? [];
          const words = [...new Intl.Segmenter('zh', { granularity: 'word' }).segment(text)]
            .filter(({ isWordLike }) => isWordLike)
            .flatMap(({ segment }) => segment.split(/[_-]+/));
          return [...names, ...words].filter((word) => word !== '');
        },
        // Whoever looks for one looks for several too.
        processTerm: (term) => term.toLowerCase().replace(/(?<=[a-z]{3})s$/, ''),
      },
      searchOptions: {
        combineWith: 'AND',
        fuzzy: 0.15,
        prefix: true,
        boost: { title: 6, text: 1, titles: 3 },
        // Guides first, then what operators read, then tables, then what is about the project itself.
        boostDocument: (id, term) => {
          const place = String(id);
          if (term.startsWith('millpond_') && place.includes('/configuration.html')) return 4;
          // Its programs say the names of what they use again and again.
          if (place.includes('/examples.html')) return 0.25;
          if (/\/docs\/reference\//.test(place)) return 0.6;
          // Short pages with long titles, for who changes the project.
          if (/\/docs\/(decisions|contributing)\//.test(place)) return 0.1;
          if (
            !/\/docs\//.test(place) ||
            /\/(performance|asked-for|engines|faults|dependencies)\.html/.test(place)
          )
            return 0.4;
          // One way to run it each; what holds for all of them comes first.
          if (/\/(kubernetes|high-availability|(operate-)?three-servers)\.html/.test(place)) return 0.8;
          return 1;
        },
      },
    },
  };
}
