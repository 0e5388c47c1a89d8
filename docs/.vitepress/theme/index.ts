/** VitePress's own theme without its web fonts, and our style sheet. */
import theme from 'vitepress/theme-without-fonts'
import './own.css'

export default theme
